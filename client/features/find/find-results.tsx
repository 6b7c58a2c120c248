import CarFront from 'lucide-react/icons/car-front'
import LayoutGrid from 'lucide-react/icons/layout-grid'
import ListIcon from 'lucide-react/icons/list'
import SearchX from 'lucide-react/icons/search-x'
import { type ReactNode, useEffect, useState } from 'react'
import { ApiError, reasonOf } from '#client/lib/http/api.ts'
import { Button } from '#client/ui/button.tsx'
import { cx } from '#client/ui/cx.ts'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { formatMoney, formatNumber, nounOf } from '#client/ui/format.ts'
import { LiveStatusText } from '#client/ui/live-status-text.tsx'
import { InlineError } from '#client/ui/inline-error.tsx'
import { LoadMore } from '#client/ui/load-more.tsx'
import { RateLimitCountdown } from '#client/ui/rate-limit-countdown.tsx'
import { Segmented } from '#client/ui/segmented.tsx'
import { Select } from '#client/ui/select.tsx'
import { Loading, Skeleton, SkeletonRows } from '#client/ui/skeleton.tsx'
import { findSorts, type FindQuery, type FindSort, readFind, writeFind } from '#shared/find-query.ts'
import { findSinceMax } from '#shared/constants/find.ts'
import type { FindAnswer, FindRelax } from '#shared/schemas/find.ts'
import type { ChangeFind } from './find-filters.tsx'
import { appliedOf, rangeLabels, sortLabels } from '#shared/find-labels.ts'
import { isUnknown } from './unknown-place.ts'
import { rowColumns, VehicleCard, VehicleRow, type VehicleSlots, vehicles } from './find-row.tsx'
import type { FoundVehicles } from './use-find-results.ts'

const views = [
  { value: 'rows', label: 'Rows', icon: <ListIcon size={16} aria-hidden="true" /> },
  { value: 'cards', label: 'Cards', icon: <LayoutGrid size={16} aria-hidden="true" /> },
] as const

const sortsOf = ({ near, sale }: FindQuery): readonly FindSort[] =>
  findSorts.filter((sort) => (sort !== 'nearest' || near !== '') && (sort !== 'ending' || sale.includes('live')))

interface ResultsProps extends VehicleSlots {
  query: FindQuery
  found: FoundVehicles
  news: number
  onNews: () => void
  onChange: ChangeFind
  actions: ReactNode
  below: ReactNode
}

export function Results({ query, found, news, onNews, onChange, actions, below, ...slots }: ResultsProps) {
  const { answer, failed, isPrevious, isSlow } = found
  if (answer?.total === 0 && !isPrevious && !failed)
    return (
      <>
        <NewVehicles count={news} onShow={onNews} />
        <NothingFound query={query} relax={answer.relax ?? []} onChange={onChange} actions={actions} />
      </>
    )
  return (
    <>
      <ResultsBar query={query} found={found} onChange={onChange} />
      <Failure found={found} />
      <NewVehicles count={news} onShow={onNews} />
      {query.as === 'rows' ? <RowHeads query={query} answer={answer} /> : null}
      {answer === undefined || isSlow ? (
        <FindWaiting found={found} as={query.as} />
      ) : (
        <List as={query.as} found={found} isMixed={isMixed(query, answer)} {...slots} />
      )}
      <More found={found} />
      {answer === undefined ? null : below}
    </>
  )
}

function ResultsBar({ query, found, onChange }: Pick<ResultsProps, 'query' | 'found' | 'onChange'>) {
  const { answer, isUpdating } = found
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-2 pr-3 pl-4 max-md:py-1">
      <p
        tabIndex={-1}
        data-find-count
        className={cx('num rounded-sm font-semibold max-md:text-base', isUpdating && 'opacity-60')}
      >
        {answer === undefined ? 'Vehicles' : vehicles(answer.total)}
      </p>
      <span className="text-xs text-ink-2">
        <LiveStatusText live="Live" />
      </span>
      <span className="flex-1" />
      <Select
        label="Sort"
        prefix="Sort"
        value={query.sort}
        onChange={(sort) => onChange({ ...query, sort })}
        options={sortsOf(query).map((sort) => ({ value: sort, label: sortLabels[sort] }))}
        className="w-auto! font-medium"
      />
      <Segmented
        label="Layout"
        value={query.as}
        onChange={(as) => onChange({ ...query, as })}
        options={views}
        className="max-md:hidden"
      />
    </div>
  )
}

function isMixed({ sale }: FindQuery, { facets }: FindAnswer): boolean {
  const kinds = (facets?.sale ?? []).filter(
    ({ value, count }) => count > 0 && (sale.length === 0 || sale.includes(value)),
  )
  return kinds.some(({ value }) => value === 'fixed') && kinds.some(({ value }) => value !== 'fixed')
}

interface ListProps extends VehicleSlots {
  as: FindQuery['as']
  found: FoundVehicles
  isMixed: boolean
}

function List({ as, found, ...slots }: ListProps) {
  const { items, isUpdating } = found
  const One = as === 'rows' ? VehicleRow : VehicleCard
  return (
    <ul
      aria-label="Vehicles"
      aria-busy={isUpdating || undefined}
      className={cx(as === 'cards' && cardGrid, isUpdating && 'opacity-60')}
    >
      {items.map((vehicle) => (
        <li key={vehicle.vehicleId}>
          <One vehicle={vehicle} {...slots} />
        </li>
      ))}
    </ul>
  )
}

/** The button that shows new vehicles. It overlaps the list's header, so that nothing moves when the button appears. */
function NewVehicles({ count, onShow }: { count: number; onShow: () => void }) {
  return (
    <div role="status" className="sticky top-(--frame-top,3.5rem) z-11 h-0">
      {count > 0 ? (
        <button
          type="button"
          onClick={onShow}
          className="num flex h-8 w-full animate-fade items-center justify-center border-b border-line bg-accent-soft font-medium text-accent-ink hover:underline max-md:h-11 touch:h-11"
        >
          {count >= findSinceMax ? `${findSinceMax}+` : count} new {nounOf(count, 'vehicle')}
        </button>
      ) : null}
    </div>
  )
}

function RowHeads({ query, answer }: { query: FindQuery; answer: FindAnswer | undefined }) {
  const isFar = query.near === '' ? Boolean(answer?.home) : !isUnknown(answer?.place, query)
  const cell = 'text-xs font-medium text-ink-2'
  return (
    <div
      aria-hidden="true"
      className={cx('hidden h-8 items-center border-b border-line bg-sunken px-4 @4xl/find:grid', rowColumns)}
    >
      <span />
      <span className={cell}>Vehicle</span>
      <span className={cx(cell, 'text-right')}>Mileage</span>
      <span className={cx(cell, 'text-right')}>Price</span>
      <span className={cell}>{isFar ? 'Distance' : 'Location'}</span>
      <span className={cell}>Seller</span>
      <span className={cell}>Sale</span>
    </div>
  )
}

const cardGrid = 'grid grid-cols-[minmax(0,1fr)] gap-3 p-3 @xl/find:grid-cols-2 @4xl/find:grid-cols-3'

const unavailable = 503

function Failure({ found: { error, isFetching, retry } }: { found: FoundVehicles }) {
  if (error === null) return null
  const isAway = error instanceof ApiError && error.status === unavailable
  return (
    <div className="border-b border-line p-3">
      <InlineError
        title={isAway ? 'Find is not available right now' : 'The vehicles could not be loaded'}
        message={reasonOf(error)}
        retrying={isFetching}
        onRetry={retry}
      />
    </div>
  )
}

function FindWaiting({
  found: { failed, isSlow, patience, answer },
  as,
}: {
  found: FoundVehicles
  as: FindQuery['as']
}) {
  if (failed) return null
  return (
    <>
      <RateLimitCountdown query={patience} className="m-3" />
      <FindSkeleton isSlow={isSlow && answer !== undefined} as={as} />
    </>
  )
}

function FindSkeleton({ isSlow, as }: { isSlow: boolean; as: FindQuery['as'] }) {
  const label = 'Searching vehicles'
  const shape = <SkeletonShape as={as} />
  if (!isSlow) return <Loading label={label}>{shape}</Loading>
  return (
    <div role="status" aria-busy="true">
      <span className="sr-only">{label}</span>
      {shape}
    </div>
  )
}

const SkeletonShape = ({ as }: { as: FindQuery['as'] }) =>
  as === 'rows' ? (
    <SkeletonRows
      rows={8}
      className="h-44 border-b border-line px-4 @4xl/find:h-20"
      lead="h-21 w-28 rounded-md @4xl/find:h-16 @4xl/find:w-24"
    />
  ) : (
    <div className={cardGrid}>
      {Array.from({ length: 6 }, (_, card) => (
        <Skeleton key={card} className="h-72 rounded-md" />
      ))}
    </div>
  )

function More({
  found: { answer, items, isPrevious, isSlow, hasMore, isFetchingMore, moreError, patience, more },
}: MoreProps) {
  if (answer === undefined || isPrevious || isSlow) return null
  return (
    <>
      <RateLimitCountdown query={patience} className="m-3" />
      {moreError === null ? null : (
        <div className="p-3">
          <InlineError
            title="More vehicles could not be loaded"
            message={reasonOf(moreError)}
            retrying={isFetchingMore}
            onRetry={more}
          />
        </div>
      )}
      {hasMore && moreError === null ? (
        <>
          <LoadMore busy={isFetchingMore} onLoad={more} />
          <p className="num pb-3 text-center text-xs text-ink-2">
            {formatNumber(items.length)} of {formatNumber(answer.total)}
          </p>
        </>
      ) : null}
    </>
  )
}
interface MoreProps {
  found: FoundVehicles
}

function relaxedSearch(query: FindQuery, { key, value }: FindRelax): { text: string; query: FindQuery } {
  const params = writeFind(query)
  const { [key]: _before, ...others } = params
  const next = readFind(value === null ? others : { ...params, [key]: value })
  if (value === null) {
    const left = new Set(appliedOf(next).map(({ label }) => label))
    const gone = appliedOf(query).filter(({ label }) => !left.has(label))
    return { text: `if you remove “${gone.map(({ label }) => label).join(', ')}”`, query: next }
  }
  return { text: changed(key, next), query: next }
}

function changed(key: FindRelax['key'], query: FindQuery): string {
  if (key === 'within') return `within ${formatNumber(query.within ?? 0)} miles`
  if (key === 'price' && query.price.to !== undefined && query.price.from === undefined)
    return `up to ${formatMoney(query.price.to)}`
  if (key === 'year' || key === 'price' || key === 'miles') return rangeLabels[key](query[key]).toLowerCase()
  return `with ${appliedOf(query)
    .map(({ label }) => label)
    .join(', ')}`
}

interface NothingFoundProps extends Pick<ResultsProps, 'query' | 'onChange' | 'actions'> {
  relax: readonly FindRelax[]
}

function NothingFound({ query, relax, onChange, actions }: NothingFoundProps) {
  const isSearch = appliedOf(query).length > 0
  return (
    <EmptyState
      icon={isSearch ? <SearchX size={24} /> : <CarFront size={24} />}
      title={isSearch ? 'No matching vehicles' : 'No vehicles for sale'}
      hint={
        isSearch ? 'Remove a filter, or get notified when one is posted.' : 'Vehicles that dealers post appear here.'
      }
      action={
        <div className="flex w-105 max-w-full flex-col items-center gap-6 pt-1">
          {relax.length > 0 ? (
            <ul aria-label="Suggested changes" className="w-full rounded-md border border-line text-left">
              {relax.map((way) => {
                const { text, query: next } = relaxedSearch(query, way)
                return (
                  <li
                    key={way.key + (way.value ?? '')}
                    className="flex items-center gap-3 border-t border-line px-3 py-2 first:border-t-0"
                  >
                    <span className="min-w-0 flex-1">
                      <b className="num font-semibold">{formatNumber(way.total)}</b> {text}
                    </span>
                    <Button
                      size="sm"
                      aria-label={`${way.value === null ? 'Remove' : 'Change'}: ${formatNumber(way.total)} ${text}`}
                      onClick={() => onChange(next)}
                    >
                      {way.value === null ? 'Remove' : 'Change'}
                    </Button>
                  </li>
                )
              })}
            </ul>
          ) : null}
          <div className="flex flex-wrap justify-center gap-2">{actions}</div>
        </div>
      }
    />
  )
}

const announceMs = 500

/** Returns the number of results for screen readers, once the results have settled. A new search announces the same number again. */
export function useResultAnnouncement(answer: FindAnswer | undefined, isPrevious: boolean, asked: string): string {
  const [announcement, setAnnouncement] = useState('')
  const total = isPrevious ? undefined : answer?.total
  useEffect(() => {
    // Clear the text first, because screen readers do not repeat unchanged text.
    setAnnouncement('')
    if (total === undefined) return
    const timer = setTimeout(() => setAnnouncement(vehicles(total)), announceMs)
    return () => clearTimeout(timer)
  }, [asked, total])
  return announcement
}
