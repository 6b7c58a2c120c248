import Check from 'lucide-react/icons/check'
import { useState } from 'react'
import { type FindQuery, type FindWord, wordText } from '#shared/find-query.ts'
import type { FindFacets } from '#shared/schemas/find.ts'
import { wordKey } from '#shared/vehicle-traits.ts'
import { cx } from '#client/ui/cx.ts'
import { formatNumber, nounOf } from '#client/ui/format.ts'
import { SearchInput } from '#client/ui/input.tsx'
import { Loading, Skeleton } from '#client/ui/skeleton.tsx'

type Checked = boolean | 'mixed'

interface FilterOptionProps {
  label: string
  count: number | undefined
  checked: Checked
  depth?: 0 | 1 | 2
  onToggle: () => void
}

const depths = ['', 'pl-6', 'pl-12']

export function FilterOption({ label, count, checked, depth = 0, onToggle }: FilterOptionProps) {
  return (
    <button
      type="button"
      role="checkbox"
      aria-checked={checked}
      onClick={onToggle}
      className={cx(
        'flex min-h-7 w-full items-center gap-2 rounded-sm text-left hover:bg-hover max-lg:min-h-11 max-md:text-base touch:min-h-11',
        depths[depth],
      )}
    >
      <span
        aria-hidden="true"
        className={cx(
          'inline-flex size-4 flex-none items-center justify-center rounded-sm border text-on-accent max-md:size-5',
          checked === true ? 'border-accent bg-accent forced-colors:bg-[Highlight]' : 'bg-surface',
          checked === false ? 'border-control' : 'border-accent',
        )}
      >
        {checked === true ? <Check size={12} className="[stroke-width:3]" /> : null}
        {checked === 'mixed' ? <span className="h-0.5 w-2 bg-accent forced-colors:bg-[CanvasText]" /> : null}
      </span>
      <span className={cx('min-w-0 flex-1 truncate', checked === true && 'font-medium', count === 0 && 'text-ink-3')}>
        {label}
      </span>{' '}
      {count === undefined ? null : (
        <span className={cx('num text-xs', count === 0 ? 'text-ink-3' : 'text-ink-2')}>{formatNumber(count)}</span>
      )}
    </button>
  )
}

const unstated = 'Not stated'
const same = (one: FindWord, other: FindWord): boolean => wordText(one) === wordText(other)

const isWithin = (word: FindWord, whole: FindWord): boolean =>
  !same(word, whole) && wordText(word).startsWith(`${wordText(whole)}~`)

export function checkedOf(chosen: readonly FindWord[], word: FindWord): Checked {
  if (chosen.some((one) => same(one, word))) return true
  return chosen.some((one) => isWithin(one, word)) ? 'mixed' : false
}

/**
 * Adds or removes a choice. Choosing a model removes the choice of its whole make, and vice versa. The same applies to trims and models.
 */
export function toggled(chosen: readonly FindWord[], word: FindWord): FindWord[] {
  if (checkedOf(chosen, word) === true) return chosen.filter((one) => !same(one, word))
  return [...chosen.filter((one) => !isWithin(one, word) && !isWithin(word, one)), word]
}

const shownAtFirst = 10
const typeaheadFrom = 20

interface Branch {
  label: string
  count: number
}

function useShowMore<Value extends Branch>(values: readonly Value[], isChosen: (value: Value) => boolean) {
  const [isLong, setLong] = useState(false)
  const shown = isLong ? values : values.filter((value, index) => index < shownAtFirst || isChosen(value))
  return { shown, more: values.length - shown.length, showAll: () => setLong(true) }
}

function More({ count, noun, depth, onMore }: { count: number; noun: string; depth: number; onMore: () => void }) {
  if (count === 0) return null
  return (
    <button
      type="button"
      onClick={onMore}
      className={cx(
        'flex min-h-7 w-full items-center rounded-sm text-left font-medium text-accent-ink hover:underline max-lg:min-h-11 max-md:text-base touch:min-h-11',
        depths[depth],
      )}
    >
      {formatNumber(count)} more {nounOf(count, noun)}
    </button>
  )
}

interface TreeProps {
  chosen: FindQuery['mmt']
  makes: FindFacets['mmt'] | undefined
  onChosen: (mmt: FindWord[]) => void
}

const counted = (count: number): number | undefined => (Number.isNaN(count) ? undefined : count)

type Makes = FindFacets['mmt']

function withChosen<Value extends Branch>(
  values: readonly Value[],
  chosen: readonly string[],
  make: (label: string) => Value,
) {
  const known = new Set(values.map(({ label }) => wordKey(label)))
  const missing = new Map(chosen.filter((label) => !known.has(wordKey(label))).map((label) => [wordKey(label), label]))
  return [...values, ...[...missing.values()].map(make)]
}

/** Adds chosen values that are missing from the counts, so that the dealer can still remove them. Their count is `count`. */
function completed(makes: Makes, chosen: FindQuery['mmt'], count: number): Makes {
  const of = (make: string) => chosen.filter((word) => wordKey(word.make) === wordKey(make))
  const all = withChosen(
    makes,
    chosen.map(({ make }) => make),
    (label) => ({ label, count, models: [] }),
  )
  return all.map((one) => {
    const models = of(one.label).flatMap(({ model }) => (model === undefined ? [] : [model]))
    const complete = withChosen(one.models, models, (label) => ({ label, count, trims: [] }))
    return {
      ...one,
      models: complete.map((model) => {
        const words = of(one.label).filter(
          (word) => word.model !== undefined && wordKey(word.model) === wordKey(model.label),
        )
        const trims = words.flatMap(({ trim }) => (trim === undefined ? [] : [trim]))
        return { ...model, trims: withChosen(model.trims, trims, (label) => ({ label, count })) }
      }),
    }
  })
}

/** Updates values without changing their order. If an old value has no new one, `merge` receives undefined. New values go to the end. */
function mergeInOrder<Value extends Branch>(
  before: readonly Value[],
  now: readonly Value[],
  merge: (old: Value, one: Value | undefined) => Value,
): Value[] {
  const byKey = new Map(now.map((one) => [wordKey(one.label), one]))
  const known = new Set(before.map(({ label }) => wordKey(label)))
  return [
    ...before.map((old) => merge(old, byKey.get(wordKey(old.label)))),
    ...now.filter(({ label }) => !known.has(wordKey(label))),
  ]
}

const none: readonly Makes[number]['models'][number][] = []

/** Applies new counts in the previous order. Drops the models of a make, or the trims of a model, if none of them was counted. */
const inPreviousOrder = (before: Makes, now: Makes): Makes =>
  mergeInOrder(before, now, (old, make) => ({
    label: old.label,
    count: make?.count ?? 0,
    models: mergeInOrder(make?.models.length ? old.models : none, make?.models ?? none, (oldModel, model) => ({
      label: oldModel.label,
      count: model?.count ?? 0,
      trims: mergeInOrder(model?.trims.length ? oldModel.trims : [], model?.trims ?? [], (oldTrim, trim) => ({
        label: oldTrim.label,
        count: trim?.count ?? 0,
      })),
    })),
  }))

/** Keeps each value's position while the filters are open. */
function useStableOrder(counts: Makes | undefined): Makes | undefined {
  const [held, setHeld] = useState({ counts, makes: counts })
  if (held.counts === counts || counts === undefined) return held.makes
  const makes = inPreviousOrder(held.makes ?? [], counts)
  setHeld({ counts, makes })
  return makes
}

interface TypeaheadProps {
  of: number
  label: string
  typed: string
  depth: 0 | 1 | 2
  onTyped: (text: string) => void
}

function Typeahead({ of, label, typed, depth, onTyped }: TypeaheadProps) {
  if (of < typeaheadFrom) return null
  return (
    <div className={cx('mb-1', depths[depth])}>
      <SearchInput
        label={label}
        placeholder={label}
        maxLength={40}
        value={typed}
        onChange={(event) => onTyped(event.target.value)}
      />
    </div>
  )
}

function useValueFilter<Value extends Branch>(values: readonly Value[]) {
  const [typed, setTyped] = useState('')
  const wanted = wordKey(typed)
  const found = wanted === '' ? values : values.filter(({ label }) => wordKey(label || unstated).includes(wanted))
  return { typed, setTyped, isTyped: wanted !== '', found }
}

export function MakeTree({ chosen, makes: counts, onChosen }: TreeProps) {
  // Until the first counts arrive, only the chosen values are known.
  const makes = completed(useStableOrder(counts) ?? [], chosen, counts === undefined ? Number.NaN : 0)
  const { typed, setTyped, isTyped, found } = useValueFilter(makes)
  const { shown, more, showAll } = useShowMore(
    found,
    ({ label }) => checkedOf(chosen, { make: label }) !== false || isTyped,
  )
  const toggle = (word: FindWord) => onChosen(toggled(chosen, word))
  if (counts === undefined && makes.length === 0) return <MakesSkeleton />
  return (
    <>
      <Typeahead of={makes.length} label="Find a make" typed={typed} depth={0} onTyped={setTyped} />
      {shown.map(({ label: make, count, models }) => (
        <div key={make} role="group" aria-label={make || unstated}>
          <FilterOption
            label={make || unstated}
            count={counted(count)}
            checked={checkedOf(chosen, { make })}
            onToggle={() => toggle({ make })}
          />
          {checkedOf(chosen, { make }) === false ? null : (
            <Models make={make} models={models} chosen={chosen} onToggle={toggle} />
          )}
        </div>
      ))}
      {isTyped && found.length === 0 ? <p className="text-ink-2">No matching make</p> : null}
      <More count={more} noun="make" depth={0} onMore={showAll} />
    </>
  )
}

/** Has the height of the search box, the short list and the button below it, so that nothing moves when the makes load. */
function MakesSkeleton() {
  return (
    <div className="h-86 max-lg:h-132">
      <Loading label="Loading makes">
        <Skeleton className="h-8 rounded-md" />
        {Array.from({ length: shownAtFirst }, (_, row) => (
          <div key={row} className="flex h-7 items-center gap-2 max-lg:h-11">
            <Skeleton className="size-4" />
            <Skeleton className="h-3 w-1/3" />
          </div>
        ))}
      </Loading>
    </div>
  )
}

interface ModelsProps {
  make: string
  models: FindFacets['mmt'][number]['models']
  chosen: FindQuery['mmt']
  onToggle: (word: FindWord) => void
}

function Models({ make, models, chosen, onToggle }: ModelsProps) {
  const { typed, setTyped, isTyped, found } = useValueFilter(models)
  const { shown, more, showAll } = useShowMore(
    found,
    ({ label }) => checkedOf(chosen, { make, model: label }) !== false || isTyped,
  )
  return (
    <>
      <Typeahead of={models.length} label={`Find a model of ${make}`} typed={typed} depth={1} onTyped={setTyped} />
      {shown.map(({ label: model, count, trims }) => (
        <div key={model} role="group" aria-label={`${make} ${model || unstated}`}>
          <FilterOption
            label={model || unstated}
            count={counted(count)}
            depth={1}
            checked={checkedOf(chosen, { make, model })}
            onToggle={() => onToggle({ make, model })}
          />
          {checkedOf(chosen, { make, model }) === false ? null : (
            <Trims make={make} model={model} trims={trims} chosen={chosen} onToggle={onToggle} />
          )}
        </div>
      ))}
      {isTyped && found.length === 0 ? <p className="pl-6 text-ink-2">No matching model</p> : null}
      <More count={more} noun="model" depth={1} onMore={showAll} />
    </>
  )
}

interface TrimsProps extends Omit<ModelsProps, 'models'> {
  model: string
  trims: FindFacets['mmt'][number]['models'][number]['trims']
}

function Trims({ make, model, trims, chosen, onToggle }: TrimsProps) {
  const { typed, setTyped, isTyped, found } = useValueFilter(trims)
  const { shown, more, showAll } = useShowMore(
    found,
    ({ label }) => checkedOf(chosen, { make, model, trim: label }) !== false || isTyped,
  )
  return (
    <>
      <Typeahead of={trims.length} label={`Search ${make} ${model} trims`} typed={typed} depth={2} onTyped={setTyped} />
      {shown.map(({ label: trim, count }) => (
        <FilterOption
          key={trim}
          label={trim || unstated}
          count={counted(count)}
          depth={2}
          checked={checkedOf(chosen, { make, model, trim })}
          onToggle={() => onToggle({ make, model, trim })}
        />
      ))}
      {isTyped && found.length === 0 ? <p className="pl-12 text-ink-2">No matching trim</p> : null}
      <More count={more} noun="trim" depth={2} onMore={showAll} />
    </>
  )
}
