import Camera from 'lucide-react/icons/camera'
import { type ComponentType, type ReactNode, useRef } from 'react'
import { Link } from 'wouter'
import { serverNow } from '#client/lib/live/connection.ts'
import { useView } from '#client/lib/live/room-views.ts'
import { Badge, type BadgeTone, LiveBadge, StatusBadge } from '#client/ui/badge.tsx'
import { cx } from '#client/ui/cx.ts'
import { DotSeparator } from '#client/ui/dot-separator.tsx'
import { formatClock, formatMileage, formatMoney, formatPlace, formatRating, plural } from '#client/ui/format.ts'
import { useOnScreen } from '#client/ui/on-screen.ts'
import { Picture } from '#client/ui/picture.tsx'
import { RelativeTime } from '#client/ui/relative-time.tsx'
import { AuctionStartBadge } from '#client/ui/auction-start-badge.tsx'
import type { FoundVehicle } from '#shared/schemas/find.ts'
import { traitLabels } from '#shared/vehicle-traits.ts'
import { useUnavailableReason } from './use-unavailable-reason.ts'

export interface AuctionNow {
  phase: 'coming' | 'running' | 'over'
  price: number | null
  bidCount: number
  startsAt: string
  secondsLeft: number
}

export interface LiveVehicleProps {
  vehicle: FoundVehicle
  isOnScreen: boolean
  /** `auction` is undefined if the vehicle has no auction. */
  draw: (auction: AuctionNow | undefined) => ReactNode
}

export interface VehicleSlots {
  /** Subscribes to live updates of a vehicle and its auction. */
  LiveVehicle: ComponentType<LiveVehicleProps>
  renderLane?: (vehicle: FoundVehicle) => ReactNode
}

interface VehicleProps extends VehicleSlots {
  vehicle: FoundVehicle
  /** True if the results include both auctions and fixed prices. Fixed prices then get a badge. */
  isMixed: boolean
}

/** Only vehicles within this margin around the screen receive live updates. */
const liveMargin = '50% 0px'

const dots = (parts: readonly (ReactNode | false | null)[]) =>
  parts
    .filter((part) => part !== false && part !== null)
    .map((part, index) => (
      <span key={index}>
        {index > 0 ? <DotSeparator /> : null}
        {part}
      </span>
    ))

const traitsOf = ({ body, drive, fuel }: FoundVehicle): string[] =>
  [body, drive, fuel].flatMap((trait) => (trait === null ? [] : traitLabels[trait]))

interface SaleProps {
  vehicle: FoundVehicle
  unavailable: string | undefined
  auction: AuctionNow | undefined
}

interface SaleBadgeProps extends Omit<SaleProps, 'vehicle'>, Pick<VehicleProps, 'isMixed'> {
  tone: BadgeTone
}

function SaleBadge({ unavailable, auction, isMixed, tone }: SaleBadgeProps) {
  if (unavailable !== undefined) return <StatusBadge status={unavailable} />
  if (auction === undefined) return isMixed ? <Badge tone={tone}>Fixed price</Badge> : null
  if (auction.phase === 'coming') return <AuctionStartBadge startsAt={auction.startsAt} nowMs={serverNow()} />
  return auction.phase === 'over' ? <Badge>Auction ended</Badge> : <LiveBadge />
}

const Lane = ({ vehicle, unavailable, auction, renderLane }: SaleProps & Pick<VehicleProps, 'renderLane'>) =>
  unavailable === undefined && auction?.phase === 'running' ? renderLane?.(vehicle) : null

function SaleText({ unavailable, auction }: Omit<SaleProps, 'vehicle'>) {
  if (unavailable !== undefined || auction === undefined || auction.phase === 'over') return null
  if (auction.phase === 'coming') return <span>starting amount</span>
  return (
    <span className="num">
      {`${auction.bidCount > 0 ? 'bid' : 'starting amount'}, ${formatClock(auction.secondsLeft)} left`}
    </span>
  )
}

function Photo({ vehicle, sizes, className }: { vehicle: FoundVehicle; sizes: string; className: string }) {
  const { photoUrl, photoCount } = vehicle
  return (
    <span className={cx('relative block overflow-hidden bg-pressed', className)}>
      {photoUrl === null ? (
        <span className="absolute inset-0 grid place-items-center text-xs text-ink-3">No photos</span>
      ) : (
        <Picture src={photoUrl} alt="" sizes={sizes} className="absolute inset-0 size-full object-cover" />
      )}
      {photoCount > 1 ? (
        <span className="num on-photo absolute right-1 bottom-1 inline-flex items-center gap-1 rounded-sm px-1.5 text-xs leading-5 font-medium">
          <Camera size={12} aria-hidden="true" />
          {photoCount}
          <span className="sr-only"> photos</span>
        </span>
      ) : null}
    </span>
  )
}

const priceOf = ({ price }: FoundVehicle, auction: AuctionNow | undefined): string => {
  const dollars = auction?.price ?? price
  return dollars === null ? 'No price' : formatMoney(dollars)
}

const mileageOf = ({ mileage }: FoundVehicle): string => (mileage === null ? 'No mileage' : formatMileage(mileage))

function Title({ vehicle: { postId, vehicleId, title }, className }: VehicleTitleProps) {
  return (
    <h2 className={cx('line-clamp-3 text-base font-semibold tracking-title text-pretty', className)}>
      <Link
        href={`/post/${postId}?vehicle=${vehicleId}`}
        data-find-vehicle={postId}
        className="rounded-sm after:absolute after:inset-0"
      >
        {title}
      </Link>
    </h2>
  )
}
interface VehicleTitleProps {
  vehicle: FoundVehicle
  className?: string
}

/** Wide lists label the distance with a column header (`hasHead`). Elsewhere, "about" distinguishes it from the mileage. */
function Distance({ vehicle: { miles }, hasHead = false }: { vehicle: FoundVehicle; hasHead?: boolean }) {
  if (miles === null) return null
  if (miles < 1) return 'under 1 mi'
  return (
    <>
      <span className={hasHead ? '@4xl/find:hidden' : undefined}>about </span>
      {formatMileage(miles)}
    </>
  )
}

const placeOf = ({ place }: FoundVehicle): string =>
  place === null ? 'No location given' : formatPlace({ city: place.city, state: place.region })

function Seller({ vehicle: { seller, connected, yours } }: { vehicle: FoundVehicle }) {
  return dots([
    seller.rating !== null && `${formatRating(seller.rating)} / 5`,
    yours && 'Yours',
    connected && 'connected',
  ])
}

function useLiveVehicle({ vehicle, LiveVehicle }: VehicleProps) {
  const element = useRef<HTMLElement>(null)
  const isOnScreen = useOnScreen(element, liveMargin)
  useView('post', vehicle.postId, isOnScreen)
  const unavailable = useUnavailableReason(vehicle)
  const follow = (draw: LiveVehicleProps['draw']) => (
    <LiveVehicle vehicle={vehicle} isOnScreen={isOnScreen} draw={draw} />
  )
  return { element, unavailable, follow }
}

/** Text columns share the space that the numeric columns leave. */
export const rowColumns =
  '@4xl/find:grid-cols-[6rem_minmax(0,1.3fr)_5rem_5rem_minmax(0,0.6fr)_minmax(0,1fr)_8.75rem] @4xl/find:gap-x-3.5'

export function VehicleRow(props: VehicleProps) {
  const { vehicle, isMixed, renderLane } = props
  const { element, unavailable, follow } = useLiveVehicle(props)
  return follow((auction) => (
    <article
      ref={element}
      className={cx(
        'relative grid scroll-mt-[calc(var(--frame-top,3.5rem)+0.5rem)] grid-cols-[7rem_minmax(0,1fr)] gap-x-3 gap-y-0.5 border-b border-line px-4 py-3 hover:bg-hover @4xl/find:items-center @4xl/find:pt-2 @4xl/find:pb-[0.4375rem]',
        rowColumns,
        unavailable !== undefined && 'text-ink-3 [&_img]:opacity-50',
      )}
    >
      <Photo
        vehicle={vehicle}
        sizes="112px"
        className="h-21 w-28 rounded-md max-sm:row-span-5 @max-4xl/find:row-span-5 @4xl/find:h-16 @4xl/find:w-24"
      />
      <div className="min-w-0">
        <Title vehicle={vehicle} />
        <p className="truncate text-xs text-ink-2">{dots(traitsOf(vehicle))}</p>
        {vehicle.vin === null ? null : <p className="vin truncate text-ink-2 @max-4xl/find:hidden">{vehicle.vin}</p>}
      </div>
      <p className="num text-right font-medium @max-4xl/find:hidden">{mileageOf(vehicle)}</p>
      <p className="flex flex-wrap items-baseline gap-x-2 @4xl/find:block @4xl/find:text-right">
        <span className="num text-md font-semibold">{priceOf(vehicle, auction)}</span>
        <span className="num text-ink-2 @4xl/find:hidden">{mileageOf(vehicle)}</span>
      </p>
      <p className="flex min-w-0 flex-wrap items-baseline gap-x-2 text-xs @4xl/find:block">
        {vehicle.miles === null ? null : (
          <span className="num block font-medium @4xl/find:text-sm">
            <Distance vehicle={vehicle} hasHead />
          </span>
        )}
        <span className="block min-w-0 text-pretty text-ink-2">{placeOf(vehicle)}</span>
      </p>
      <div className="min-w-0 text-xs text-ink-2 @max-4xl/find:flex @max-4xl/find:flex-wrap @max-4xl/find:gap-x-2">
        <p className="min-w-0 font-medium text-pretty text-ink @4xl/find:text-sm">{vehicle.seller.dealershipName}</p>
        <p>
          <Seller vehicle={vehicle} />
        </p>
        <RelativeTime iso={vehicle.postedAt} className="num block" />
      </div>
      <div className="flex flex-wrap items-center gap-1 text-xs text-ink-2 @4xl/find:grid @4xl/find:grid-cols-[auto_minmax(0,1fr)] @4xl/find:justify-items-start @4xl/find:gap-x-2">
        <SaleBadge unavailable={unavailable} auction={auction} isMixed={isMixed} tone="outline" />
        <span className="flex flex-wrap gap-1 empty:hidden @4xl/find:col-span-2 @4xl/find:row-start-2 @4xl/find:flex-col">
          <SaleText unavailable={unavailable} auction={auction} />
        </span>
        <Lane vehicle={vehicle} unavailable={unavailable} auction={auction} {...(renderLane && { renderLane })} />
      </div>
    </article>
  ))
}

export function VehicleCard(props: VehicleProps) {
  const { vehicle, isMixed, renderLane } = props
  const { element, unavailable, follow } = useLiveVehicle(props)
  return follow((auction) => (
    <article
      ref={element}
      className={cx(
        'relative flex h-full flex-col overflow-hidden rounded-md border border-line bg-surface hover:border-line-strong',
        unavailable !== undefined && 'text-ink-3 [&_img]:opacity-50',
      )}
    >
      <div className="relative">
        <Photo vehicle={vehicle} sizes="(min-width: 1024px) 320px, 100vw" className="aspect-video" />
        <span className="absolute top-2 left-2 flex">
          <SaleBadge unavailable={unavailable} auction={auction} isMixed={isMixed} tone="accent" />
        </span>
      </div>
      <div className="min-w-0 px-3 pt-2 pb-3">
        <Title vehicle={vehicle} />
        <p className="mt-1 flex flex-wrap items-baseline justify-between gap-x-2">
          <span className="num text-lg font-semibold tracking-lg">{priceOf(vehicle, auction)}</span>
          <span className="num font-medium">{mileageOf(vehicle)}</span>
        </p>
        <p className="mt-1 text-xs text-pretty text-ink-2">
          {dots([
            vehicle.miles !== null && <Distance key="miles" vehicle={vehicle} />,
            placeOf(vehicle),
            <RelativeTime key="age" iso={vehicle.postedAt} className="num" />,
          ])}
        </p>
        <p className="text-xs text-pretty text-ink-2">
          {vehicle.seller.dealershipName}
          <DotSeparator />
          <Seller vehicle={vehicle} />
        </p>
        <div className="mt-2 flex flex-wrap items-center gap-1 text-xs text-ink-2 empty:hidden">
          <SaleText unavailable={unavailable} auction={auction} />
          <Lane vehicle={vehicle} unavailable={unavailable} auction={auction} {...(renderLane && { renderLane })} />
        </div>
      </div>
    </article>
  ))
}

export const vehicles = (count: number): string => plural(count, 'vehicle')
