import { useInfiniteQuery } from '@tanstack/react-query'
import Gavel from 'lucide-react/icons/gavel'
import { type ReactNode, useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { reasonOf } from '#client/lib/http/api.ts'
import { useOfflinePoll } from '#client/lib/live/offline-poll.ts'
import { Button } from '#client/ui/button.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { formatNumber, formatTime } from '#client/ui/format.ts'
import { InlineError } from '#client/ui/inline-error.tsx'
import { LoadMore } from '#client/ui/load-more.tsx'
import { QueryState } from '#client/ui/query-state.tsx'
import { DebouncedSearch } from '#client/ui/debounced-search.tsx'
import { SkeletonRows } from '#client/ui/skeleton.tsx'
import { Tabs } from '#client/ui/tabs.tsx'
import type { Lane, LaneRow } from '#shared/schemas/lane.ts'
import { laneRestQuery, laneRunQuery } from '../lane.api.ts'
import { bySoonestEnd, bySoonestStart, countsOf, isComingAt, isRunningAt } from './row-standing.ts'
import { RunRow, type RunRowProps } from './lane-run-row.tsx'

type RunTab = 'run' | 'watching' | 'ended'

interface LaneRunListProps extends Omit<RunRowProps, 'row'> {
  lane: Lane
}

/** Returns a stable callback, so that unchanged rows do not re-render. */
function useSamePin(onPin: LaneRunListProps['onPin']): LaneRunListProps['onPin'] {
  const latest = useRef(onPin)
  useEffect(() => {
    latest.current = onPin
  }, [onPin])
  return useCallback((row: LaneRow) => latest.current(row), [])
}

export function LaneRunList({ onPin, ...others }: LaneRunListProps) {
  const props = { ...others, onPin: useSamePin(onPin) }
  const { lane, nowMs } = props
  const counts = countsOf(lane, nowMs)
  const [tab, setTab] = useState<RunTab>('run')
  const [q, setQ] = useState('')
  const search = (
    <div className="flex-none border-b border-line p-2">
      <DebouncedSearch
        label="Search the run list"
        placeholder="Make, model, seller, city"
        value={q}
        onSearch={setQ}
        className="w-full"
      />
    </div>
  )
  return (
    <section
      aria-label="Run list"
      className="flex min-h-0 min-w-0 flex-col overflow-hidden rounded-md border border-line bg-surface shadow-1 max-md:rounded-none max-md:border-x-0 [&>div]:flex [&>div]:min-h-0 [&>div]:flex-1 [&>div]:flex-col [&_[role=tabpanel]]:flex [&_[role=tabpanel]]:min-h-0 [&_[role=tabpanel]]:flex-1 [&_[role=tabpanel]]:flex-col"
    >
      <Tabs
        label="Auctions"
        value={tab}
        onChange={setTab}
        listClassName="flex-none px-3 gap-4!"
        tabs={[
          {
            value: 'run',
            label: 'Run list',
            count: counts.running + counts.coming,
            content: (
              <>
                {search}
                {q === '' ? <FullRunList {...props} /> : <RunSearchResults {...props} q={q} />}
              </>
            ),
          },
          {
            value: 'watching',
            label: 'Watching',
            count: lane.counts.watching,
            content: (
              <>
                {search}
                <Rows>
                  <OneList {...props} kind="watching" q={q} title="Watching" detail="soonest ending first" />
                </Rows>
              </>
            ),
          },
          {
            value: 'ended',
            label: 'Ended',
            content: (
              <>
                {search}
                <Rows>
                  <OneList {...props} kind="ended" q={q} title="Ended" detail="in the last week" />
                </Rows>
              </>
            ),
          },
        ]}
      />
    </section>
  )
}

const Rows = ({ children }: { children: ReactNode }) => (
  <div className="relative min-h-0 flex-1 overflow-y-auto overscroll-contain" data-run-rows>
    {children}
  </div>
)

function RunHead({ title, detail }: { title: string; detail: string }) {
  return (
    <div className="sticky top-0 z-1 flex justify-between gap-2 border-b border-line bg-sunken px-3 py-1 text-xs leading-5 font-medium text-ink-2">
      <h3 className="font-medium">{title}</h3>
      <span className="num">{detail}</span>
    </div>
  )
}

/** Keeps the order of the rows while the list is hovered or focused, so that no row moves before a press. */
function useStableOrder(rows: LaneRow[]) {
  const [held, setHeld] = useState({ pointer: false, focus: false })
  const [order, setOrder] = useState<string[]>()
  const ids = rows.map(({ postId }) => postId)
  const known = new Map(rows.map((row) => [row.postId, row]))
  const kept = order ? [...order, ...ids.filter((id) => !order.includes(id))] : ids
  /** Track focus and pointer separately: pressing a row moves focus out of the list while the pointer stays over it. */
  const hold = (by: 'pointer' | 'focus', on: boolean) => {
    const next = { ...held, [by]: on }
    setHeld(next)
    setOrder((before) => (next.pointer || next.focus ? (before ?? ids) : undefined))
  }
  return { rows: kept.flatMap((id) => known.get(id) ?? []), hold }
}

/** Loads the rest of a list on demand, after the rows that the Lane contains, and then keeps it up to date. */
function useMoreRows(lane: Lane, kind: 'running' | 'coming') {
  const behind = lane.behind[kind]
  const [isAsked, setAsked] = useState(false)
  const isOn = isAsked && behind !== null
  const query = useInfiniteQuery({ ...laneRestQuery(kind), enabled: isOn })
  const { refetch, fetchNextPage, isFetchingNextPage, isLoading, isError, error } = query
  const follow = useEffectEvent(() => {
    if (isOn) void refetch()
  })
  useEffect(() => follow(), [behind])
  const rows = isOn ? (query.data?.pages.flatMap((page) => page.rows) ?? []) : []
  const more = () => {
    if (!isAsked) return setAsked(true)
    void (query.data === undefined ? refetch() : fetchNextPage())
  }
  return {
    rows,
    hasMore: behind !== null && (!isOn || query.data === undefined || query.hasNextPage),
    isLoading: isLoading || isFetchingNextPage,
    failure: isError ? error : undefined,
    more,
  }
}

function LoadMoreRows({
  label,
  rest: { hasMore, isLoading, failure, more },
}: {
  label: string
  rest: ReturnType<typeof useMoreRows>
}) {
  if (failure)
    return (
      <div className="p-3">
        <InlineError
          title="The list could not be loaded"
          message={reasonOf(failure)}
          retrying={isLoading}
          onRetry={more}
        />
      </div>
    )
  return hasMore ? <LoadMore label={label} busy={isLoading} onLoad={more} /> : null
}

function FullRunList({ lane, nowMs, ...rest }: LaneRunListProps) {
  const [moreRunning, moreComing] = [useMoreRows(lane, 'running'), useMoreRows(lane, 'coming')]
  const known = [...moreRunning.rows, ...moreComing.rows, ...lane.running, ...lane.coming]
  const all = [...new Map(known.map((row) => [row.postId, row])).values()]
  const { rows, hold } = useStableOrder([
    ...all.filter((row) => isRunningAt(row, nowMs)).toSorted(bySoonestEnd),
    ...all.filter((row) => isComingAt(row, nowMs)).toSorted(bySoonestStart),
  ])
  const counts = countsOf(lane, nowMs)
  const running = rows.filter((row) => isRunningAt(row, nowMs))
  const coming = rows.filter((row) => isComingAt(row, nowMs))
  const next = coming[0]?.auction.startsAt ?? lane.next
  const opens = next === null ? undefined : `next at ${formatTime(next)}`
  const comingRows = useRef<HTMLDivElement>(null)
  return (
    <div
      className="relative min-h-0 flex-1 overflow-y-auto overscroll-contain"
      data-run-rows
      onPointerEnter={() => hold('pointer', true)}
      onPointerLeave={() => hold('pointer', false)}
      onFocus={() => hold('focus', true)}
      onBlur={(event) => event.currentTarget.contains(event.relatedTarget) || hold('focus', false)}
    >
      {running.length === 0 ? (
        <EmptyState
          level={3}
          compact
          icon={<Gavel size={24} />}
          title="No auctions are running."
          {...(next !== null && { hint: `The next one starts at ${formatTime(next)}.` })}
          action={
            coming.length > 0 ? (
              <Button onClick={() => comingRows.current?.querySelector('button')?.focus()}>See upcoming</Button>
            ) : null
          }
        />
      ) : (
        <>
          <RunHead title={`Running ${formatNumber(counts.running)}`} detail="soonest ending first" />
          {running.map((row) => (
            <RunRow key={row.postId} row={row} nowMs={nowMs} {...rest} />
          ))}
          <LoadMoreRows label="More running" rest={moreRunning} />
        </>
      )}
      {coming.length === 0 ? null : (
        <div ref={comingRows}>
          <RunHead title={`Upcoming ${formatNumber(counts.coming)}`} detail={opens ?? ''} />
          {coming.map((row) => (
            <RunRow key={row.postId} row={row} nowMs={nowMs} {...rest} />
          ))}
          <LoadMoreRows label="More upcoming" rest={moreComing} />
        </div>
      )}
    </div>
  )
}

function RunSearchResults(props: LaneRunListProps & { q: string }) {
  return (
    <Rows>
      <OneList {...props} kind="running" title="Running" detail="soonest ending first" />
      <OneList {...props} kind="coming" title="Upcoming" detail="soonest first" />
    </Rows>
  )
}

interface OneListProps extends LaneRunListProps {
  kind: 'running' | 'coming' | 'watching' | 'ended'
  q: string
  title: string
  detail: string
}

const nothing: Record<OneListProps['kind'], string> = {
  running: 'No running auctions',
  coming: 'No upcoming auctions',
  watching: "You're not watching any open auctions. Bookmark a post to add its auction.",
  ended: 'No auctions ended in the last week',
}

function OneList({ kind, q, title, detail, ...rest }: OneListProps) {
  const query = useInfiniteQuery({ ...laneRunQuery(kind, q), refetchInterval: useOfflinePoll() })
  const rows = query.data?.pages.flatMap((page) => page.rows)
  return (
    <>
      <RunHead title={title} detail={detail} />
      <QueryState query={query} failure="The list could not be loaded" label="Loading the list" className="p-3">
        <SkeletonRows rows={5} lead="h-8 w-12 rounded-sm" />
      </QueryState>
      {rows?.length === 0 ? (
        <p className="px-3 py-4 text-center text-ink-2">
          {q === '' ? nothing[kind] : `${nothing[kind].split('.')[0] ?? ''} for “${q}”`}
        </p>
      ) : null}
      {rows?.map((row) => (
        <RunRow key={row.postId} row={row} {...rest} />
      ))}
      {query.hasNextPage ? (
        <LoadMore busy={query.isFetchingNextPage} onLoad={() => void query.fetchNextPage()} />
      ) : null}
    </>
  )
}
