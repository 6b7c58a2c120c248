import CircleAlert from 'lucide-react/icons/circle-exclamation-point'
import CircleCheck from 'lucide-react/icons/circle-check'
import Eye from 'lucide-react/icons/eye'
import Gavel from 'lucide-react/icons/gavel'
import Hourglass from 'lucide-react/icons/hourglass'
import Timer from 'lucide-react/icons/timer'
import Video from 'lucide-react/icons/video'
import { type ReactNode, useId, useState } from 'react'
import { useBidding } from '#client/lib/auction/bidding.ts'
import { useConnection } from '#client/lib/live/connection.ts'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { useOpenAuction } from '#client/lib/auction/auctions-on-screen.ts'
import { useSettingsChange } from '#client/lib/session/save-settings.ts'
import { secondsUntil, useExtension, useAuctionClock } from '#client/lib/live/server-clock.ts'
import { useViewers } from '#client/lib/post/viewer-count.ts'
import { useOpened } from '#client/lib/post/count-views.ts'
import { useView } from '#client/lib/live/room-views.ts'
import { AuctionMeter } from '#client/ui/auction-meter.tsx'
import { Badge } from '#client/ui/badge.tsx'
import { BidNotice, BidQuestion } from '#client/ui/bid-question.tsx'
import { Button } from '#client/ui/button.tsx'
import { ButtonLink } from '#client/ui/button-link.tsx'
import { ChangingNumber } from '#client/ui/changing-number.tsx'
import { cx } from '#client/ui/cx.ts'
import { Dialog } from '#client/ui/dialog.tsx'
import { formatClock, formatMileage, formatMoney, formatPlace, formatVehicle, plural } from '#client/ui/format.ts'
import { AuctionCost } from '#client/ui/price-with-fee.tsx'
import { SidePanel, useRoomBeside } from '#client/ui/side-panel.tsx'
import { softCloseMs } from '#shared/limits.ts'
import type { Auction } from '#shared/schemas/auctions.ts'
import type { Post } from '#shared/schemas/posts.ts'
import { settingsOf } from '#shared/settings-defaults.ts'
import { AuctionLive } from './auction-badges.tsx'
import { AuctionGallery, LiveVideo } from './auction-gallery.tsx'
import {
  type AuctionPhase,
  type BidderState,
  bidderStateOf,
  phaseOf,
  priceLabelOf,
  reserveText,
} from '#client/lib/auction/auction-state.ts'
import { facilitatorName } from '#shared/facilitators.ts'
import { BidButtons, MaximumForm } from './bid-buttons.tsx'
import { BidHistory, BidLadder } from './bid-ladder.tsx'
import { EndAuction } from './end-auction.tsx'
import { TermsForm } from './terms-form.tsx'

const wideSpans = ['', 'split:col-span-4', 'split:col-span-3', 'split:col-span-2']
/** Returns classes that stretch the last fact to fill its row, in both the two-column and the four-column layout. */
const lastSpans = (count: number) => cx(count % 2 === 1 && 'stacked:col-span-2', wideSpans[count % 4])

const textOf = (value: number | null | undefined, format: (value: number) => string) =>
  value === null || value === undefined ? undefined : format(value)

function AuctionFacts({ post }: { post: Post }) {
  const vehicle = post.vehicles[0]
  const facts = [
    { label: 'VIN', value: vehicle?.vin, className: 'vin' },
    { label: 'Mileage', value: textOf(vehicle?.mileage, formatMileage) },
    { label: 'Color', value: vehicle?.color },
    { label: 'Price', value: textOf(vehicle?.price, formatMoney) },
    { label: 'Seller', value: post.dealer.dealershipName || post.dealer.name },
    { label: 'Location', value: formatPlace(vehicle ?? post.dealer) },
    { label: 'Facilitator', value: post.auctionFacilitator && facilitatorName(post.auctionFacilitator) },
    { label: 'Trim', value: vehicle?.trim },
  ].filter(({ value }) => Boolean(value))
  const last = facts.at(-1)
  const list = (
    <dl className="grid flex-none grid-cols-4 gap-px overflow-hidden rounded-md border border-line bg-line stacked:grid-cols-2">
      {facts.map(({ label, value, className }) => (
        <div
          key={label}
          className={cx('min-w-0 bg-raised px-3 py-2', label === last?.label && lastSpans(facts.length))}
        >
          <dt className="text-xs text-ink-2">{label}</dt>
          <dd className={className ?? 'num truncate font-semibold'}>{value}</dd>
        </div>
      ))}
    </dl>
  )
  if (vehicle === undefined || post.vehicleCount < 2) return list
  return (
    <>
      <p className="flex-none text-ink-2">
        This auction is for the first of {plural(post.vehicleCount, 'vehicle')} in this post: {formatVehicle(vehicle)}.
      </p>
      {list}
    </>
  )
}

const looks = {
  good: { className: 'border-success-line bg-success-soft text-success-ink', Icon: CircleCheck },
  bad: { className: 'border-danger-line bg-danger-soft text-danger-ink', Icon: CircleAlert },
  wait: { className: 'border-warning-line bg-warning-soft text-warning-ink', Icon: Hourglass },
  neutral: { className: 'border-line bg-sunken text-ink', Icon: Gavel },
}

/** Announces changes to the dealer's standing. Receives the initial focus, because focusing a field would open the keyboard on a phone. */
function AuctionStateBar({ bidderState, children }: { bidderState: BidderState; children?: ReactNode }) {
  const { className, Icon } = looks[bidderState.tone]
  return (
    <div
      tabIndex={-1}
      data-autofocus
      data-focus-target
      className={cx('flex min-h-14 items-center gap-3 border-b px-5 py-2 max-md:px-4', className)}
    >
      <Icon size={24} aria-hidden="true" className="flex-none" />
      <div role="status" className="min-w-0 flex-1">
        <p className="text-md font-semibold">{bidderState.title}</p>
        <p className="num text-ink-2">{bidderState.detail}</p>
      </div>
      {children}
    </div>
  )
}

function useOneTapBids(): [boolean, (on: boolean) => void] {
  const { oneTapBids } = settingsOf(useCurrentDealer().settings)
  const change = useSettingsChange()
  return [oneTapBids, (on) => change.mutate({ oneTapBids: on })]
}

interface AuctionPopupProps {
  post: Post
  auction: Auction
  children?: ReactNode
  onClose: () => void
}

/** Shows the auction in a panel beside the page if there is room, otherwise in a dialog. */
export function AuctionPopup({ post, auction, children, onClose }: AuctionPopupProps) {
  useView('post', post.id)
  useView('auction', post.id)
  useOpened(post.id)
  useOpenAuction(post.id)
  const [video, setVideo] = useState(false)
  const viewers = useViewers(post.id)
  const isBeside = useRoomBeside()
  const hasPhotos = post.photoUrls.length > 0
  const head = {
    title: post.title,
    headerStart: <AuctionLive auction={auction} />,
    headerEnd: (
      <>
        {viewers === undefined ? null : (
          <span className={cx('num flex flex-none items-center gap-1 text-ink-2', hasPhotos && 'stacked:hidden')}>
            <Eye size={16} aria-hidden="true" />
            {plural(viewers, 'viewer')}
          </span>
        )}
        {hasPhotos ? (
          <Button icon={<Video size={16} aria-hidden="true" />} onClick={() => setVideo(true)}>
            <span className="stacked:sr-only">Photo walk-around</span>
          </Button>
        ) : null}
      </>
    ),
  }
  const body = (
    <>
      <div className="flex flex-col split:grid split:grid-cols-[minmax(0,1fr)_26.5rem] split:items-start">
        <div className="stacked:contents split:sticky split:top-0 split:px-6 split:py-4">
          <AuctionGallery photos={post.photoUrls} subject={post.title} viewers={viewers} />
          <div className="mt-4 stacked:order-3 stacked:mx-4 stacked:mb-4 in-data-beside:mx-5">
            <AuctionFacts post={post} />
            {children}
          </div>
        </div>
        <Bidder auction={auction} />
      </div>
      {video ? <LiveVideo post={post} viewers={viewers} onClose={() => setVideo(false)} /> : null}
    </>
  )
  if (isBeside)
    return (
      <SidePanel {...head} onClose={onClose}>
        {body}
      </SidePanel>
    )
  return (
    <Dialog {...head} open onOpenChange={(open) => !open && onClose()} unsaved={false} width="xl" flush>
      {body}
    </Dialog>
  )
}

function whyBlocked(auction: Auction, phase: AuctionPhase, online: boolean): string | undefined {
  if (!online) return "Bidding is paused until you're back online"
  if (phase === 'coming') return 'Bidding has not started'
  if (phase !== 'running') return 'This auction is over'
  return auction.you.isSeller ? 'You cannot bid on your own auction' : undefined
}

function Bidder({ auction }: { auction: Auction }) {
  const online = useConnection() !== 'offline'
  const nowMs = useAuctionClock(auction)
  const [oneTap, setOneTap] = useOneTapBids()
  const blockedId = useId()
  const phase = phaseOf(auction, nowMs)
  const blocked = whyBlocked(auction, phase, online)
  // Treat the auction as new, so that the second click of the double-click that opened the popup does not place a bid.
  const bidding = useBidding(auction, { oneTap, isOpen: blocked === undefined, isOffline: !online, justAppeared: true })
  const canBid = !auction.you.isSeller && (phase === 'running' || phase === 'coming')
  const buttons = { auction, bidding, blocked, blockedId }
  return (
    <div className="min-w-0 stacked:contents split:self-stretch split:border-l split:border-line">
      <div className="stacked:order-1">
        <AuctionStateBar bidderState={bidderStateOf(auction, phase, online)}>
          <NextStep auction={auction} phase={phase} />
        </AuctionStateBar>
        <AuctionPrice auction={auction} phase={phase} nowMs={nowMs} />
      </div>
      <div className="stacked:order-2">
        <p aria-live="polite" className="min-h-5 px-5 text-xs max-md:px-4">
          <BidNotice bidding={bidding} />
        </p>
        {canBid && blocked ? (
          <p id={blockedId} className="px-5 pb-2 text-xs text-ink-2 max-md:px-4">
            {blocked}
          </p>
        ) : null}
        <BidLadder {...buttons} oneTap={oneTap} onOneTap={setOneTap} canBid={canBid} />
        {canBid ? <MaximumForm auction={auction} bidding={bidding} blocked={blocked !== undefined} /> : null}
        {auction.you.isSeller ? <SellersPart auction={auction} phase={phase} /> : null}
      </div>
      <div className="max-md:order-2 in-data-beside:order-4">
        <BidHistory auction={auction} />
      </div>
      {canBid ? (
        <div className="sticky bottom-0 z-10 order-4 border-t border-line bg-raised px-4 pt-3 pb-5 md:hidden">
          <BidButtons {...buttons} bar />
        </div>
      ) : null}
      <BidQuestion bidding={bidding} />
    </div>
  )
}

/** The seller can change the auction's terms until the first bid. */
function SellersPart({ auction, phase }: { auction: Auction; phase: AuctionPhase }) {
  return (
    <>
      {phase === 'running' || phase === 'coming' ? <EndAuction auction={auction} /> : null}
      {auction.bidCount === 0 ? <TermsForm key={auction.status} auction={auction} /> : null}
    </>
  )
}

const secondsPerMs = 1 / 1_000
const softSeconds = softCloseMs * secondsPerMs
const announcedSeconds: Record<number, string> = {
  60: 'Under a minute left',
  30: '30 seconds left',
  10: '10 seconds left',
}

const softCloseText = `A bid in the last ${formatClock(softSeconds)} adds ${formatClock(softSeconds)}`

function AuctionPrice({ auction, phase, nowMs }: { auction: Auction; phase: AuctionPhase; nowMs: number }) {
  const coming = phase === 'coming'
  const seconds = secondsUntil(coming ? auction.startsAt : auction.endsAt, nowMs)
  const late = phase === 'running' && seconds <= softSeconds
  const ticking = coming || phase === 'running'
  return (
    <section aria-label="Price and time" className="px-5 pt-4 pb-3 max-md:px-4 max-md:pt-3">
      <div className="flex justify-between gap-4 text-xs text-ink-2">
        <span>{priceLabelOf(auction, phase)}</span>
        <span>{coming ? 'Starts in' : 'Time left'}</span>
      </div>
      <div className="mt-1 flex items-baseline justify-between gap-4 text-xl font-semibold tracking-xl">
        <ChangingNumber value={auction.amount ?? 0} text={formatMoney(auction.amount ?? auction.startAmount)} />
        <span className={cx('num', late && 'text-live-ink')}>{ticking ? formatClock(seconds) : 'Ended'}</span>
      </div>
      <div className="mt-2">
        <AuctionMeter auction={auction} nowMs={coming ? 0 : nowMs} />
      </div>
      <div className="mt-1 flex min-h-5 items-center justify-between gap-3 text-xs text-ink-2">
        <span className="num">{ticking ? softCloseText : reserveText[auction.reserve]}</span>
        <ClockBadge auction={auction} running={phase === 'running'} />
      </div>
      <AuctionCost auction={auction} phase={phase} />
      <Countdown seconds={phase === 'running' ? seconds : undefined} />
    </section>
  )
}

function Countdown({ seconds }: { seconds: number | undefined }) {
  return (
    <p aria-live="assertive" className="sr-only">
      {seconds === undefined ? '' : (announcedSeconds[seconds] ?? '')}
    </p>
  )
}

/** Shows for five seconds that the end was extended. Otherwise, shows the reserve's state while the auction is running. */
function ClockBadge({ auction, running }: { auction: Auction; running: boolean }) {
  const extended = useExtension(auction.endsAt)
  if (extended > 0)
    return (
      <Badge tone="warning" icon={<Timer size={12} aria-hidden="true" />}>
        <span className="num">Extended +{formatClock(extended)}</span>
      </Badge>
    )
  if (!running) return null
  return <Badge tone={auction.reserve === 'not_met' ? 'warning' : 'success'}>{reserveText[auction.reserve]}</Badge>
}

function NextStep({ auction, phase }: { auction: Auction; phase: AuctionPhase }) {
  const party = auction.you.isSeller || (auction.leader !== null && auction.leader === auction.you.number)
  if (!party || (phase !== 'sold' && phase !== 'deciding')) return null
  return <ButtonLink href="/deals">{phase === 'sold' ? 'Go to your deals' : 'Go to your offers'}</ButtonLink>
}
