import { useInfiniteQuery } from '@tanstack/react-query'
import FlagIcon from 'lucide-react/icons/flag'
import Gavel from 'lucide-react/icons/gavel'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useOfflinePoll } from '#client/lib/live/offline-poll.ts'
import { Badge } from '#client/ui/badge.tsx'
import { Button } from '#client/ui/button.tsx'
import { Card } from '#client/ui/card.tsx'
import { DealerLink } from '#client/ui/dealer-link.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { formatMoney, formatNumber } from '#client/ui/format.ts'
import { LoadMore } from '#client/ui/load-more.tsx'
import { QueryState } from '#client/ui/query-state.tsx'
import { RelativeTime } from '#client/ui/relative-time.tsx'
import { SkeletonRows } from '#client/ui/skeleton.tsx'
import { type Column, Table } from '#client/ui/table.tsx'
import { sharedSignals } from '#shared/moderation.ts'
import type { LaneAll as LaneAllPage, LaneOverview, LaneRow } from '#shared/schemas/lane.ts'
import { LaneFigure, LaneFigures } from './lane-bar.tsx'
import { RowClock } from '../lane-clock.tsx'
import { laneAllQuery } from '../lane.api.ts'
import { nameOfRow } from './row-standing.ts'
import { reserveText } from '#client/lib/auction/auction-state.ts'

type Row = LaneAllPage['rows'][number]

/** Milliseconds between refetches. Live events do not update the rates and counts, which cover the last minute. */
const againMs = 10_000

interface LaneStaffListProps {
  bar: (figures: ReactNode) => ReactNode
  onOpenCase: (row: LaneRow) => void
}

export function LaneStaffList({ bar, onOpenCase }: LaneStaffListProps) {
  const offlineMs = useOfflinePoll()
  const query = useInfiniteQuery({ ...laneAllQuery(), refetchInterval: offlineMs === false ? againMs : offlineMs })
  const pages = query.data?.pages
  const rows = pages?.flatMap((page) => page.rows)
  const first = pages?.[0]
  return (
    <>
      {bar(first ? <AllFigures page={first} /> : null)}
      <div className="relative min-h-0 flex-1 overflow-y-auto px-4 pt-2 pb-14 max-md:px-0">
        <Card>
          <h2 className="px-4 py-3 text-sm font-semibold">All running auctions</h2>
          <QueryState
            query={query}
            failure="The auctions could not be loaded"
            label="Loading all auctions"
            className="px-4 pb-3"
          >
            <SkeletonRows rows={6} lead="h-8 w-12 rounded-sm" />
          </QueryState>
          {rows ? <AllTable rows={rows} onOpenCase={onOpenCase} /> : null}
          {query.hasNextPage ? (
            <LoadMore busy={query.isFetchingNextPage} onLoad={() => void query.fetchNextPage()} />
          ) : null}
        </Card>
        <NewFlags overview={first?.overview} />
      </div>
    </>
  )
}

/** Lists recent flags separately, because most of them belong to auctions that have ended and have no row in the list. */
function NewFlags({ overview }: { overview: LaneOverview | null | undefined }) {
  if (!overview || overview.flags.length === 0) return null
  return (
    <Card className="mt-2">
      <h2 className="px-4 pt-3 text-sm font-semibold">Flagged in the last 24 hours</h2>
      <ul aria-label="Flagged in the last 24 hours" className="divide-y divide-line px-4 pb-1">
        {overview.flags.map((flag) => (
          <li key={`${flag.postId} ${flag.bidder.id} ${flag.other.id}`} className="py-2">
            <span className="flex flex-wrap items-baseline justify-between gap-x-3">
              <Link href={`/post/${flag.postId}`} className="rounded-sm font-medium hover:underline">
                {flag.title}
              </Link>
              <RelativeTime iso={flag.flaggedAt} className="text-xs text-ink-2" />
            </span>
            <Flag flag={flag} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

function AllTable({ rows, onOpenCase }: { rows: readonly Row[]; onOpenCase: (row: LaneRow) => void }) {
  if (rows.length === 0) return <EmptyState icon={<Gavel size={24} />} title="No auctions are running." />
  return (
    <Table
      caption="All running auctions"
      columns={columnsOf(onOpenCase)}
      rows={rows}
      rowKey={({ row }) => row.postId}
    />
  )
}

function AllFigures({ page: { overview, delayP99Ms } }: { page: LaneAllPage }) {
  if (overview === null) return null
  const { running, bidsPerMinute, watchers } = overview
  return (
    <LaneFigures>
      <LaneFigure label="Running">{formatNumber(running)}</LaneFigure>
      <LaneFigure label="Bids per minute">{formatNumber(bidsPerMinute)}</LaneFigure>
      <LaneFigure label="Watchers" spare>
        {watchers === null ? '–' : formatNumber(watchers)}
      </LaneFigure>
      <LaneFigure label="Delay p99, this server">
        {delayP99Ms === null ? 'no recent bids' : `${formatNumber(delayP99Ms)} ms`}
      </LaneFigure>
    </LaneFigures>
  )
}

const reserveTones = { met: 'success', not_met: 'warning', none: 'outline' } as const

/** Names two bidders, or a bidder and the seller, who have something in common, such as a payment card. */
function Flag({ flag: { bidder, other, signals } }: { flag: Row['flags'][number] }) {
  return (
    <span className="flex items-baseline gap-1 text-xs text-warning-ink">
      <FlagIcon size={12} aria-hidden="true" className="flex-none self-center" />
      Bidder {bidder.number} and {other.number === null ? 'the seller' : `Bidder ${other.number}`}: same{' '}
      {signals.map((signal) => sharedSignals[signal]).join(', ')}
    </span>
  )
}

const columnsOf = (onOpenCase: (row: LaneRow) => void): Column<Row>[] => [
  {
    key: 'vehicle',
    title: 'Vehicle',
    cell: ({ row, flags }) => (
      <>
        <Link href={`/post/${row.postId}`} className="rounded-sm font-medium hover:underline">
          {nameOfRow(row)}
        </Link>
        {flags.map((flag) => (
          <Flag key={`${flag.bidder.id} ${flag.other.id}`} flag={flag} />
        ))}
      </>
    ),
  },
  { key: 'seller', title: 'Seller', cell: ({ seller }) => <DealerLink dealer={seller} />, wideOnly: true },
  {
    key: 'leader',
    title: 'Leader',
    cell: ({ leader }) => (leader ? <DealerLink dealer={leader} /> : <span className="text-ink-2">no one</span>),
    wideOnly: true,
  },
  {
    key: 'price',
    title: 'Bid',
    align: 'right',
    cell: ({ row }) => formatMoney(row.auction.amount ?? row.auction.startAmount),
  },
  {
    key: 'reserve',
    title: 'Reserve',
    cell: ({ row }) => <Badge tone={reserveTones[row.auction.reserve]}>{reserveText[row.auction.reserve]}</Badge>,
    wideOnly: true,
  },
  { key: 'rate', title: 'Bids/min', align: 'right', cell: ({ bidsPerMinute }) => formatNumber(bidsPerMinute) },
  { key: 'bidders', title: 'Bidders', align: 'right', cell: ({ bidders }) => formatNumber(bidders), wideOnly: true },
  {
    key: 'watchers',
    title: 'Watchers',
    align: 'right',
    cell: ({ watchers }) => (watchers === null ? '–' : formatNumber(watchers)),
    wideOnly: true,
  },
  { key: 'left', title: 'Time left', align: 'right', cell: ({ row }) => <RowClock auction={row.auction} /> },
  {
    key: 'case',
    title: 'Action',
    hideTitle: true,
    align: 'right',
    cell: ({ row }) => (
      <Button size="sm" onClick={() => onOpenCase(row)}>
        Open case
        <span className="sr-only"> about {nameOfRow(row)}</span>
      </Button>
    ),
  },
]
