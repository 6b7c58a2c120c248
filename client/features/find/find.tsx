import { useQueryClient } from '@tanstack/react-query'
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal'
import X from 'lucide-react/icons/x'
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { isRendered } from '#client/lib/http/older-browsers.ts'
import { Button } from '#client/ui/button.tsx'
import { Card } from '#client/ui/card.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { useNarrow, widthOf } from '#client/ui/screen-width.ts'
import { emptyFind, type FindQuery, findSearch } from '#shared/find-query.ts'
import type { FindPlace } from '#shared/schemas/find.ts'
import { exampleOf } from './find-example.ts'
import { FindField } from './find-field.tsx'
import { type ChangeFind, Filters } from './find-filters.tsx'
import { appliedOf } from '#shared/find-labels.ts'
import { useFindKeys } from './use-find-shortcuts.ts'
import { useNewResultCount } from './use-new-results.ts'
import { Results, useResultAnnouncement } from './find-results.tsx'
import { isUnknown } from './unknown-place.ts'
import { type VehicleSlots, vehicles } from './find-row.tsx'
import { findVehiclesQuery } from './find.api.ts'
import { type FoundVehicles, useFindResults } from './use-find-results.ts'

interface FindProps extends VehicleSlots {
  query: FindQuery
  onChange: ChangeFind
  onWatch: (postId: string) => void
  saveAction: ReactNode
  orderAction: ReactNode
  below?: ReactNode
}

/** Moves focus to the number of results, or to the results area if no number is shown. */
function focusCount(results: HTMLElement | null): void {
  const count = results?.querySelector<HTMLElement>('[data-find-count]') ?? results
  count?.focus({ preventScroll: true })
}

/** Must match Tailwind's `lg:`. From this width on, the filters are next to the results. */
const roomForFilters = widthOf('(width >= 64rem)')

export function Find({ query, onChange, onWatch, saveAction, orderAction, below = null, ...slots }: FindProps) {
  const cache = useQueryClient()
  const found = useFindResults(query)
  const { answer, isPrevious, isUpdating } = found
  const news = useNewResultCount(query, isPrevious || found.failed ? undefined : answer?.head)
  const announcement = useResultAnnouncement(answer, isPrevious, findSearch({ ...query, as: 'rows' }))
  const [isSheetOpen, setSheetOpen] = useState(false)
  const isBeside = roomForFilters.use()
  const field = useRef<HTMLInputElement>(null)
  const panel = useRef<HTMLElement>(null)
  const results = useRef<HTMLElement>(null)
  useFindKeys({
    onText: () => field.current?.focus(),
    onFilters: () => {
      const first = panel.current?.querySelector<HTMLElement>('input')
      // If the filters next to the results are not rendered, open them in a side panel.
      if (first && isRendered(first)) first.focus()
      else setSheetOpen(true)
    },
    onWatch,
  })
  const clear = () => onChange({ ...emptyFind, sort: query.sort, as: query.as })
  const showNewResults = () => {
    void cache.resetQueries({ queryKey: findVehiclesQuery(query).queryKey })
    results.current?.focus({ preventScroll: true })
    window.scrollTo({ top: 0 })
  }
  const filters = (
    <Filters
      query={query}
      facets={answer?.facets}
      place={answer?.place}
      home={answer?.home}
      isUpdating={isUpdating}
      onChange={onChange}
    />
  )
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[17.5rem_minmax(0,1fr)] beside:grid-cols-[minmax(0,1fr)]">
      {isBeside ? (
        <FilterPanel panel={panel} onClear={clear}>
          {filters}
        </FilterPanel>
      ) : null}
      <div className="min-w-0">
        <Head>
          {saveAction}
          {orderAction}
        </Head>
        <div className="pb-3 max-md:px-4 max-md:pt-3">
          <FindField query={query} field={field} example={exampleOf(answer)} home={answer?.home} onFind={onChange} />
        </div>
        <Chips
          query={query}
          place={answer?.place}
          onChange={onChange}
          onClear={clear}
          onNone={() => focusCount(results.current)}
          action={saveAction}
        />
        <Card ref={results} tabIndex={-1} aria-label="Results" className="@container/find focus:outline-none">
          <Results
            query={query}
            found={found}
            news={news}
            onNews={showNewResults}
            onChange={onChange}
            actions={
              <>
                {saveAction}
                {orderAction}
              </>
            }
            below={below}
            {...slots}
          />
        </Card>
        <p role="status" className="sr-only">
          {announcement}
        </p>
      </div>
      <FilterButton count={appliedOf(query).length} onPress={() => setSheetOpen(true)} />
      <FilterSheet open={isSheetOpen} onOpenChange={setSheetOpen} found={found} onClear={clear}>
        {filters}
      </FilterSheet>
    </div>
  )
}

interface FilterPanelProps {
  panel: RefObject<HTMLElement | null>
  onClear: () => void
  children: ReactNode
}

function FilterPanel({ panel, onClear, children }: FilterPanelProps) {
  return (
    <aside
      ref={panel}
      aria-label="Filters"
      className="sticky top-[calc(var(--frame-top,3.5rem)+1rem)] max-h-[calc(100dvh-var(--frame-top,3.5rem)-2rem)] overflow-y-auto overscroll-contain rounded-md border border-line bg-surface shadow-1 beside:hidden"
    >
      <div className="sticky top-0 z-1 flex min-h-11 items-center justify-between border-b border-line bg-surface py-2 pr-2 pl-4">
        <h2 className="text-sm font-semibold">Filters</h2>
        <Button variant="ghost" size="sm" onClick={onClear}>
          Clear all
        </Button>
      </div>
      {children}
    </aside>
  )
}

/** Opens the filters on screens without room for them beside the results. */
const FilterButton = ({ count, onPress }: { count: number; onPress: () => void }) => (
  <Button
    variant="primary"
    aria-haspopup="dialog"
    icon={<SlidersHorizontal size={16} aria-hidden="true" />}
    onClick={onPress}
    className="num fixed border-transparent! bg-inverse! text-on-inverse! bottom-[calc(4.5rem+env(safe-area-inset-bottom))] left-1/2 z-25 h-11! -translate-x-1/2 rounded-full! px-4! shadow-2 md:bottom-6 lg:hidden beside:inline-flex"
  >
    Filters{count > 0 ? ` ${count}` : ''}
  </Button>
)

/** On a phone, only screen readers see the heading, so that the first vehicle is higher on the page. */
function Head({ children }: { children: ReactNode }) {
  const narrow = useNarrow()
  return (
    <div className="flex min-h-10 flex-wrap items-center justify-between gap-x-4 gap-y-2 pb-2 max-md:sr-only">
      <h1 className="text-lg font-semibold tracking-lg">Find vehicles</h1>
      {narrow ? null : <div className="flex flex-wrap gap-2">{children}</div>}
    </div>
  )
}

interface ChipsProps {
  query: FindQuery
  place: FindPlace | null | undefined
  onChange: ChangeFind
  onClear: () => void
  onNone: () => void
  /** The Save button, which this row contains only on a phone. */
  action: ReactNode
}

/** Buttons for the applied filters. Pressing one removes its filter and moves focus to the next button. */
function Chips({ query, place, onChange, onClear, onNone, action }: ChipsProps) {
  const applied = appliedOf(query, isUnknown(place, query))
  const group = useRef<HTMLDivElement>(null)
  const narrow = useNarrow()
  const pressed = useRef<number>(undefined)
  const leave = useEffectEvent(onNone)
  useEffect(() => {
    if (pressed.current === undefined) return
    const chips = [...(group.current?.querySelectorAll<HTMLElement>('[data-find-chip]') ?? [])]
    const next = chips[pressed.current] ?? chips.at(-1)
    pressed.current = undefined
    if (next) next.focus()
    else leave()
  }, [applied.length])
  if (applied.length === 0) return null
  return (
    <div
      ref={group}
      role="group"
      aria-label="Applied filters"
      className="scrollbar-none flex gap-2 pb-3 max-md:overflow-x-auto max-md:px-4 md:flex-wrap"
    >
      {applied.map(({ label, without }, index) => (
        <button
          key={label}
          type="button"
          data-find-chip
          aria-label={`Remove ${label}`}
          onClick={() => {
            pressed.current = index
            onChange(without)
          }}
          className="inline-flex h-7 flex-none items-center gap-1 rounded-md bg-accent-soft pr-1.5 pl-2 text-xs font-medium whitespace-nowrap text-accent-ink hover:shadow-[inset_0_0_0_1px_var(--lw-accent-line)] max-md:h-11 max-md:pl-3 max-md:text-sm touch:h-11 forced-colors:border"
        >
          {label}
          <X size={14} aria-hidden="true" />
        </button>
      ))}
      <Button
        variant="ghost"
        size="sm"
        onClick={() => {
          pressed.current = 0
          onClear()
        }}
        className="flex-none"
      >
        Clear all
      </Button>
      {narrow ? <span className="flex-none">{action}</span> : null}
    </div>
  )
}

interface FilterSheetProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  found: FoundVehicles
  onClear: () => void
  children: ReactNode
}

function FilterSheet({ open, onOpenChange, found: { answer }, onClear, children }: FilterSheetProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      unsaved={false}
      title="Filters"
      flush
      footer={
        <>
          <Button variant="ghost" onClick={onClear}>
            Clear all
          </Button>
          <Button variant="primary" onClick={() => onOpenChange(false)} className="num flex-1">
            {answer === undefined ? 'Show vehicles' : `Show ${vehicles(answer.total)}`}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  )
}
