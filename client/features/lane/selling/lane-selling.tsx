import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import Gavel from 'lucide-react/icons/gavel'
import Plus from 'lucide-react/icons/plus'
import { type ReactNode, useState } from 'react'
import { nameOfBidder, phaseOf } from '#client/lib/auction/auction-state.ts'
import { useConnection } from '#client/lib/live/connection.ts'
import { useOfflinePoll } from '#client/lib/live/offline-poll.ts'
import { useServerTime } from '#client/lib/live/server-clock.ts'
import { useViewers } from '#client/lib/post/viewer-count.ts'
import { Badge } from '#client/ui/badge.tsx'
import { Button } from '#client/ui/button.tsx'
import { Card } from '#client/ui/card.tsx'
import { Count } from '#client/ui/count.tsx'
import { DotSeparator } from '#client/ui/dot-separator.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { formatExactTime, formatMileage, formatMoney, formatNumber, plural } from '#client/ui/format.ts'
import { QueryState } from '#client/ui/query-state.tsx'
import { SkeletonRows } from '#client/ui/skeleton.tsx'
import { type Column, Table } from '#client/ui/table.tsx'
import type { Auction } from '#shared/schemas/auctions.ts'
import type { LaneSale } from '#shared/schemas/lane.ts'
import type { SellersParts } from '../lane-context.ts'
import { LaneFigure, LaneFigures } from '../lists/lane-bar.tsx'
import { RowClock } from '../lane-clock.tsx'
import { laneSellingQuery } from '../lane.api.ts'
import { RowPhoto } from '../lists/lane-run-row.tsx'
import { nameOfRow } from '../lists/row-standing.ts'
import { SalePanel } from './lane-sale.tsx'
import { saleLabel, shortOf, useOwnAuction } from './lane-sales.ts'

interface LaneSellingProps extends SellersParts {
  bar: (figures: ReactNode) => ReactNode
}

export function LaneSelling({ bar, onNewAuction, ...parts }: LaneSellingProps) {
  const query = useQuery({ ...laneSellingQuery(), refetchInterval: useOfflinePoll() })
  const [chosen, setChosen] = useState<string>()
  const nowMs = useServerTime((now) => Math.floor(now / 1_000)) * 1_000
  const sales = query.data
  const sale = sales?.find(({ row }) => row.postId === chosen) ?? sales?.[0]
  // Select the first auction explicitly, so that it stays selected when the order changes and the buttons do not suddenly act on another.
  if (sale && sale.row.postId !== chosen) setChosen(sale.row.postId)
  return (
    <>
      {bar(sales ? <SellingFigures sales={sales} nowMs={nowMs} /> : null)}
      <div className="relative grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)_26.5rem] gap-2 px-4 pt-2 pb-14 max-xl:grid-cols-1 max-xl:overflow-y-auto max-md:px-0">
        <div className="flex min-h-0 min-w-0 flex-col gap-2 xl:relative xl:overflow-y-auto">
          <OwnAuctions
            query={query}
            nowMs={nowMs}
            chosen={sale?.row.postId}
            onChoose={setChosen}
            onNew={onNewAuction}
          />
          {sale ? <SaleBids key={sale.row.postId} sale={sale} /> : null}
        </div>
        {sale ? <SalePanel key={sale.row.postId} sale={sale} nowMs={nowMs} {...parts} /> : null}
      </div>
    </>
  )
}

interface OwnAuctionsProps {
  query: UseQueryResult<LaneSale[]>
  nowMs: number
  chosen: string | undefined
  onChoose: (postId: string) => void
  onNew: () => void
}

function OwnAuctions({ query, nowMs, chosen, onChoose, onNew }: OwnAuctionsProps) {
  const sales = query.data
  return (
    <Card className="flex-none">
      <div className="flex min-h-12 items-center gap-2 px-4 py-2">
        <h2 className="text-sm font-semibold">Your auctions</h2>
        {sales ? <Count value={sales.length} tone="quiet" /> : null}
        <span className="flex-1" />
        <Button icon={<Plus size={16} aria-hidden="true" />} onClick={onNew}>
          New auction
        </Button>
      </div>
      <QueryState
        query={query}
        failure="Your auctions could not be loaded"
        label="Loading your auctions"
        className="px-4 pb-3"
      >
        <SkeletonRows lead="h-8 w-12 rounded-sm" />
      </QueryState>
      {sales?.length === 0 ? (
        <EmptyState
          icon={<Gavel size={24} />}
          title="You have no auctions today"
          hint="Post inventory and switch on “Run a live auction” to see it here with its bids."
        />
      ) : null}
      {sales && sales.length > 0 ? (
        <SalesTable sales={sales} nowMs={nowMs} chosen={chosen} onChoose={onChoose} />
      ) : null}
    </Card>
  )
}

const isDeciding = ({ row }: LaneSale): boolean => row.auction.status === 'deciding'

function SellingFigures({ sales, nowMs }: { sales: readonly LaneSale[]; nowMs: number }) {
  const running = sales.filter(({ row }) => phaseOf(row.auction, nowMs) === 'running')
  const bid = running.reduce((sum, { row }) => sum + (row.auction.amount ?? 0), 0)
  const sells = running.filter(({ row }) => row.auction.amount !== null && row.auction.reserve !== 'not_met')
  const deciding = sales.filter(isDeciding)
  const sold = sales.filter(({ row }) => row.auction.status === 'sold')
  return (
    <LaneFigures>
      <LaneFigure label="Running">{formatNumber(running.length)}</LaneFigure>
      <LaneFigure label="Highest bids" spare>
        {formatMoney(bid)}
      </LaneFigure>
      <LaneFigure label="Would sell now" tone="text-success-ink">
        {formatNumber(sells.length)} of {formatNumber(running.length)}
      </LaneFigure>
      <LaneFigure label="Your decision" tone={deciding.length > 0 ? 'text-warning-ink' : undefined}>
        {formatNumber(deciding.length)}
      </LaneFigure>
      <LaneFigure label="Sold today" spare>
        {formatNumber(sold.length)}
        {sold.length > 0 ? (
          <>
            <DotSeparator />
            {formatMoney(sold.reduce((sum, { row }) => sum + (row.auction.amount ?? 0), 0))}
          </>
        ) : null}
      </LaneFigure>
    </LaneFigures>
  )
}

const shareOf = ({ row, reserveAmount }: LaneSale): number => {
  const { amount, reserve } = row.auction
  if (amount === null) return 0
  return reserve === 'not_met' && reserveAmount !== null ? Math.min(100, (100 * amount) / reserveAmount) : 100
}

interface SalesTableProps {
  sales: readonly LaneSale[]
  nowMs: number
  chosen: string | undefined
  onChoose: (postId: string) => void
}

function SalesTable({ sales, nowMs, chosen, onChoose }: SalesTableProps) {
  const state = (sale: LaneSale) => {
    const { word, tone } = saleLabel(sale, nowMs)
    return <Badge tone={tone}>{word}</Badge>
  }
  const vehicle = (sale: LaneSale) => (
    <button
      type="button"
      aria-current={sale.row.postId === chosen || undefined}
      onClick={() => onChoose(sale.row.postId)}
      className="flex min-w-0 items-center gap-2 rounded-sm text-left hover:underline max-md:min-h-11"
    >
      <RowPhoto src={sale.row.photoUrl} />
      <span className="min-w-0">
        <span className="block font-medium">{nameOfRow(sale.row)}</span>
        <span className="num block text-xs text-ink-2">
          {sale.row.mileage === null ? null : formatMileage(sale.row.mileage)}
        </span>
      </span>
    </button>
  )
  const bid = ({ row }: LaneSale) => (
    <b className="font-semibold">{row.auction.amount === null ? '–' : formatMoney(row.auction.amount)}</b>
  )
  const columns: Column<LaneSale>[] = [
    { key: 'vehicle', title: 'Vehicle', cell: vehicle },
    { key: 'state', title: 'Status', cell: state },
    { key: 'bid', title: 'Bid', align: 'right', cell: bid },
    {
      key: 'reserve',
      title: 'Reserve',
      align: 'right',
      cell: ({ reserveAmount, row }) =>
        reserveAmount === null ? (
          <span className="text-ink-2">{row.auction.reserve === 'none' ? 'none' : 'you decide'}</span>
        ) : (
          formatMoney(reserveAmount)
        ),
      wideOnly: true,
    },
    {
      key: 'short',
      title: 'Below reserve',
      cell: (sale) => (
        <span className="flex items-center gap-2 whitespace-nowrap">
          <span aria-hidden="true" className="h-1 w-24 flex-none overflow-hidden rounded-full bg-pressed">
            <span className="block h-full bg-accent" style={{ width: `${shareOf(sale)}%` }} />
          </span>
          <span className="num">{shortOf(sale)}</span>
        </span>
      ),
      wideOnly: true,
    },
    { key: 'bids', title: 'Bids', align: 'right', cell: ({ row }) => formatNumber(row.auction.bidCount) },
    { key: 'left', title: 'Time left', align: 'right', cell: ({ row }) => <RowClock auction={row.auction} /> },
  ]
  return (
    <Table
      caption="Your auctions"
      columns={columns}
      rows={sales}
      rowKey={({ row }) => row.postId}
      {...(chosen !== undefined && { selectedKey: chosen })}
      card={(sale) => (
        <div className="flex items-center gap-3">
          <span className="min-w-0 flex-1">
            {vehicle(sale)}
            <span className="mt-1 block">{state(sale)}</span>
          </span>
          <span className="num text-right">
            <span className="block">{bid(sale)}</span>
            <RowClock auction={sale.row.auction} className="text-xs text-ink-2" />
          </span>
        </div>
      )}
    />
  )
}

/** Shows the bids with the bidders' names. Only the seller sees the names. */
function SaleBids({ sale: { row, watching, bidders } }: { sale: LaneSale }) {
  const query = useOwnAuction(row.postId)
  const auction = query.data
  const viewers = useViewers(row.postId)
  const isOffline = useConnection() === 'offline'
  return (
    <Card className="flex min-h-48 flex-1 flex-col overflow-hidden max-xl:flex-none">
      <div className="flex min-h-12 flex-none flex-wrap items-center gap-2 px-4 py-2">
        <h2 className="text-sm font-semibold">Bids on the {row.model ?? 'auction'}</h2>
        <Count value={row.auction.bidCount} tone="quiet" />
        <span className="flex-1" />
        <span className="num text-xs text-ink-2">
          {isOffline ? 'Updates every 30 s' : 'Live'}
          <DotSeparator />
          {viewers === undefined ? null : (
            <>
              {plural(viewers, 'viewer')}
              <DotSeparator />
            </>
          )}
          {formatNumber(watching)} watching
          <DotSeparator />
          {plural(bidders, 'bidder')}
        </span>
      </div>
      <div className="relative min-h-0 flex-1 overflow-y-auto">
        <QueryState query={query} failure="The bids could not be loaded" label="Loading the bids" className="px-4 pb-3">
          <SkeletonRows />
        </QueryState>
        {auction ? (
          <Table
            caption="Bids, newest first"
            columns={bidColumns(auction)}
            rows={auction.bids}
            rowKey={({ seq }) => String(seq)}
            empty={<p className="px-4 py-3 text-ink-2">No bids yet.</p>}
          />
        ) : null}
      </div>
    </Card>
  )
}

type SaleBid = Auction['bids'][number]

function bidColumns(auction: Auction): Column<SaleBid>[] {
  const before = (bid: SaleBid) => auction.bids.find((other) => other.no === bid.no - 1)
  const bidderOf = (number: number) => auction.seller?.bidders.find((bidder) => bidder.number === number)
  const raise = (bid: SaleBid) => {
    const last = before(bid)
    if (last) return `+${formatMoney(bid.amount - last.amount)}`
    return bid.no === 1 ? 'Start' : ''
  }
  return [
    { key: 'time', title: 'Time', cell: ({ at }) => <span className="num">{formatExactTime(at)}</span> },
    {
      key: 'bidder',
      title: 'Bidder',
      cell: ({ bidder }) => {
        const known = bidderOf(bidder)
        if (!known) return nameOfBidder(auction, bidder)
        return (
          <>
            <b className="font-medium">{known.name}</b> <span className="text-ink-2">{known.dealershipName}</span>
          </>
        )
      },
    },
    {
      key: 'auto',
      title: 'By',
      cell: ({ auto }) => <span className="text-ink-2">{auto ? 'auto' : ''}</span>,
      wideOnly: true,
    },
    {
      key: 'raise',
      title: 'Raise',
      align: 'right',
      cell: (bid) => <span className="text-ink-2">{raise(bid)}</span>,
      wideOnly: true,
    },
    {
      key: 'amount',
      title: 'Amount',
      align: 'right',
      cell: ({ amount }) => <b className="font-semibold">{formatMoney(amount)}</b>,
    },
  ]
}
