import { useQuery } from '@tanstack/react-query'
import CircleAlert from 'lucide-react/icons/circle-exclamation-point'
import CircleCheck from 'lucide-react/icons/circle-check'
import Eye from 'lucide-react/icons/eye'
import Hourglass from 'lucide-react/icons/hourglass'
import RotateCw from 'lucide-react/icons/rotate-cw'
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react'
import { useSearchParams } from 'wouter'
import { reasonOf } from '#client/lib/http/api.ts'
import { useConnection } from '#client/lib/live/connection.ts'
import { useViewers } from '#client/lib/post/viewer-count.ts'
import { useJoined } from '#client/lib/live/room-views.ts'
import { Dot } from '#client/ui/badge.tsx'
import { Button } from '#client/ui/button.tsx'
import { ButtonLink } from '#client/ui/button-link.tsx'
import { ChangingNumber } from '#client/ui/changing-number.tsx'
import { ClockText } from '#client/ui/clock-text.tsx'
import { cx } from '#client/ui/cx.ts'
import { DotSeparator } from '#client/ui/dot-separator.tsx'
import { formatClock, formatMoney, formatNumber, nounOf, plural } from '#client/ui/format.ts'
import { useOnScreen } from '#client/ui/on-screen.ts'
import { Loading, Skeleton } from '#client/ui/skeleton.tsx'
import type { Auction } from '#shared/schemas/auctions.ts'
import type { Post } from '#shared/schemas/posts.ts'
import { secondsUntil, useServerTime } from '#client/lib/live/server-clock.ts'
import { clockMs } from '#client/lib/live/shared-clocks.ts'
import { AuctionMeter } from '#client/ui/auction-meter.tsx'
import {
  type AuctionPhase,
  phaseOf,
  priceLabelOf,
  type BidderState,
  bidderStateOf,
} from '#client/lib/auction/auction-state.ts'
import { auctionQuery } from '#client/lib/auction/cached-auctions.ts'
import { openAuction } from './auction-popup.store.ts'

const headings: Record<AuctionPhase, string> = {
  coming: 'Upcoming auction',
  running: 'Live auction',
  closing: 'Auction ended',
  deciding: 'Auction ended',
  sold: 'Auction ended',
  no_sale: 'Auction ended',
}

export function AuctionBlock({ post }: { post: Post }) {
  const query = useQuery(auctionQuery(post.id))
  const { data: auction, error, refetch } = query
  useJoined('post', post.id, auction !== undefined, () => void refetch())
  useAskedByAddress(post)
  if (auction) return <LoadedBlock post={post} auction={auction} />
  return error ? (
    <FailedBlock error={error} busy={query.isFetching} onRetry={() => void refetch()} />
  ) : (
    <BlockSkeleton />
  )
}

/** A compact error with a Retry button, because an `InlineError` would be too wide for this block. */
function FailedBlock({ error, busy, onRetry }: { error: Error; busy: boolean; onRetry: () => void }) {
  return (
    <div
      role="alert"
      data-no-open
      className="flex min-h-53 cursor-auto flex-col gap-1 rounded-md bg-danger-soft p-3 text-danger-ink"
    >
      <CircleAlert size={16} aria-hidden="true" />
      <p className="font-semibold">The auction could not be loaded</p>
      <p className="text-ink-2">{reasonOf(error)}</p>
      <Button block busy={busy} icon={<RotateCw size={14} />} className="mt-auto" onClick={onRetry}>
        Retry
      </Button>
    </div>
  )
}

function LoadedBlock({ post, auction }: { post: Post; auction: Auction }) {
  const phase = useServerTime((nowMs) => phaseOf(auction, nowMs), {
    running: auction.status === 'open',
    everyMs: clockMs.second,
  })
  const isOver = phase !== 'coming' && phase !== 'running'
  return (
    <div
      role="group"
      aria-label="Live auction"
      data-no-open
      className="flex min-h-53 cursor-auto flex-col rounded-md border border-live-line bg-live-soft p-3"
    >
      <BlockBody auction={auction} phase={phase} />
      <div className="mt-auto flex flex-wrap gap-2">
        <Button variant={isOver ? 'secondary' : 'primary'} className="flex-1 px-2!" onClick={() => openAuction(post)}>
          {isOver ? 'See how it ended' : 'Open live auction'}
        </Button>
        {isOver ? null : (
          <ButtonLink href={`/lane?post=${post.id}`} className="px-2!">
            Open in Lane
          </ButtonLink>
        )}
      </div>
    </div>
  )
}

function useAskedByAddress(post: Post) {
  const [params] = useSearchParams()
  const isAsked = params.get('auction') === post.id
  const open = useEffectEvent(() => openAuction(post))
  useEffect(() => {
    if (isAsked) open()
  }, [isAsked])
}

interface BlockPartProps {
  auction: Auction
  phase: AuctionPhase
}

/** A separate component, so that the rest of the block does not re-render every second. */
function Countdown({ auction, phase }: BlockPartProps) {
  const read = (nowMs: number) => {
    if (phase === 'coming') return formatClock(secondsUntil(auction.startsAt, nowMs))
    return phase === 'running' ? formatClock(secondsUntil(auction.endsAt, nowMs)) : 'Ended'
  }
  return <ClockText className="num" running={auction.status === 'open'} read={read} />
}

/** One step is about half a pixel of the bar. Smaller steps would redraw the bar without a visible change. */
const meterSteps = 400

function Meter({ auction, phase }: BlockPartProps) {
  const startMs = Date.parse(auction.startsAt)
  const stepMs = Math.max(1, Date.parse(auction.endsAt) - startMs) / meterSteps
  const bar = useRef<HTMLDivElement>(null)
  const isOn = useOnScreen(bar)
  const step = useServerTime((nowMs) => Math.floor((nowMs - startMs) / stepMs), {
    running: isOn && auction.status === 'open',
    everyMs: clockMs.second,
  })
  return (
    <div ref={bar} className="my-2">
      <AuctionMeter auction={auction} nowMs={phase === 'coming' ? 0 : startMs + step * stepMs} thin />
    </div>
  )
}

function BlockBody({ auction, phase }: BlockPartProps) {
  const viewers = useViewers(auction.postId)
  const online = useConnection() !== 'offline'
  const bidderState = bidderStateOf(auction, phase, online)
  return (
    <>
      <div className="flex items-center justify-between gap-2 text-xs">
        <p className="flex items-center gap-1 font-semibold text-live-ink">
          {phase === 'running' ? <Dot tone="live" /> : null}
          {headings[phase]}
        </p>
        {viewers === undefined ? null : (
          <span className="num flex items-center gap-1 text-ink-2">
            <Eye size={14} aria-hidden="true" />
            {formatNumber(viewers)}
            <span className="sr-only">{nounOf(viewers, 'viewer')}</span>
          </span>
        )}
      </div>
      <dl className="mt-2 grid grid-cols-[repeat(2,minmax(min-content,1fr))] gap-x-3">
        <Figure label={priceLabelOf(auction, phase)}>
          <ChangingNumber value={auction.amount ?? 0} text={formatMoney(auction.amount ?? auction.startAmount)} />
        </Figure>
        <Figure label={phase === 'coming' ? 'Starts in' : 'Time left'}>
          <Countdown auction={auction} phase={phase} />
        </Figure>
      </dl>
      <Meter auction={auction} phase={phase} />
      <BidderStateLine bidderState={bidderState} />
      <p className="mb-2 text-xs text-ink-2">
        <span className="num">{plural(auction.bidCount, 'bid')}</span>
        {phase === 'running' ? (
          <>
            <DotSeparator />
            <span className="num">next bid {formatMoney(auction.minNext)}</span>
          </>
        ) : null}
      </p>
    </>
  )
}

function Figure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-xs text-ink-2">{label}</dt>
      <dd className="text-lg font-semibold tracking-lg whitespace-nowrap">{children}</dd>
    </div>
  )
}

const bidderStateLooks = {
  good: { ink: 'text-success-ink', Icon: CircleCheck },
  bad: { ink: 'text-danger-ink', Icon: CircleAlert },
  wait: { ink: 'text-warning-ink', Icon: Hourglass },
  neutral: { ink: 'text-ink-2', Icon: undefined },
}

function BidderStateLine({ bidderState }: { bidderState: BidderState }) {
  const { ink, Icon } = bidderStateLooks[bidderState.tone]
  return (
    <p className={cx('mt-1 mb-2 flex items-center gap-1 text-xs font-semibold', ink)}>
      {Icon ? <Icon size={14} aria-hidden="true" /> : null}
      {bidderState.title}
    </p>
  )
}

function BlockSkeleton() {
  return (
    <div className="min-h-53 rounded-md border border-live-line bg-live-soft p-3">
      <Loading label="Loading the auction">
        <div className="space-y-3">
          <Skeleton className="h-3 w-24" />
          <Skeleton className="h-7" />
          <Skeleton className="h-1" />
          <Skeleton className="h-3 w-32" />
        </div>
      </Loading>
    </div>
  )
}
