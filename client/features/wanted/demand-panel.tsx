import { useQuery } from '@tanstack/react-query'
import Check from 'lucide-react/icons/check'
import { type ReactNode, useEffect, useEffectEvent, useMemo } from 'react'
import { ApiError, reasonOf } from '#client/lib/http/api.ts'
import { useDebounced } from '#client/lib/form/use-debounced.ts'
import { Badge } from '#client/ui/badge.tsx'
import { Checkbox } from '#client/ui/checkbox.tsx'
import { DotSeparator } from '#client/ui/dot-separator.tsx'
import { formatMileage, formatMoney, formatNumber, formatRating, nounOf, plural } from '#client/ui/format.ts'
import { InlineError } from '#client/ui/inline-error.tsx'
import type { NewVehicle } from '#shared/schemas/posts.ts'
import { askedAboveShare } from '#shared/constants/wanted.ts'
import type { Demand, DemandOrder, DemandRequest } from '#shared/schemas/wanted.ts'
import { traitLabels } from '#shared/vehicle-traits.ts'
import { checkDigitHolds } from '#shared/vin/vin.ts'
import { demandQuery } from './wanted.api.ts'

const settleMs = 600

/** Returns undefined until all required fields of the vehicle are filled in and the VIN's check digit is valid. */
function requestOf({
  vin = '',
  year,
  make = '',
  model = '',
  trim = '',
  mileage,
  city = '',
  state = '',
}: NewVehicle): DemandRequest | undefined {
  if (!checkDigitHolds(vin) || year === undefined || mileage === undefined) return undefined
  if (make.trim() === '' || model.trim() === '') return undefined
  const place = { zip: '', city: city.trim(), state: state.trim() }
  return { vin, year, make: make.trim(), model: model.trim(), trim: trim.trim(), mileage, ...place }
}

function useDemand(vehicle: NewVehicle) {
  const text = JSON.stringify(requestOf(vehicle) ?? null)
  const settled = useDebounced(text, settleMs)
  const asked = useMemo(() => (JSON.parse(settled) as DemandRequest | null) ?? undefined, [settled])
  const query = useQuery({ ...demandQuery(asked ?? ({} as DemandRequest)), enabled: asked !== undefined })
  const isCurrent = asked !== undefined && settled === text
  return { asked, demand: isCurrent ? query.data : undefined, failed: isCurrent && query.isError ? query : undefined }
}

/** Returns why the order may not accept this vehicle, or undefined if it may. */
function missingRequirement({ drive, photosOnly }: DemandOrder, hasPhotos: boolean): string | undefined {
  if (photosOnly && !hasPhotos) return 'Needs photos'
  return drive === null ? undefined : `If it is ${traitLabels[drive]}`
}

export interface ChosenOrder {
  vin: string
  ref: string
}

export interface PostTraits {
  /** True if the post has photos. Some orders accept only vehicles with photos. */
  hasPhotos: boolean
  /** True if the post opens an auction. Orders do not accept vehicles in an auction. */
  opensBidding: boolean
}

interface DemandPanelProps extends PostTraits {
  vehicle: NewVehicle
  chosen?: ChosenOrder | undefined
  /** Undefined if the dealer is not posting the vehicle. Only the prices are shown then. */
  onChoose?: (best: ChosenOrder | undefined) => void
  /** Shown if nobody wants the vehicle. */
  none?: ReactNode
}

export function DemandPanel({ vehicle, hasPhotos, opensBidding, chosen, onChoose, none = null }: DemandPanelProps) {
  const { demand, asked, failed } = useDemand(vehicle)
  const best = opensBidding
    ? undefined
    : demand?.orders.find((order) => missingRequirement(order, hasPhotos) === undefined)
  const isChosen = asked !== undefined && chosen?.vin === asked.vin
  const choose = (ref: string) => asked && onChoose?.({ vin: asked.vin, ref })
  const follow = useEffectEvent((ref: string) => isChosen && choose(ref))
  const ref = best?.ref
  useEffect(() => {
    if (ref !== undefined) follow(ref)
  }, [ref])
  const drop = useEffectEvent(() => onChoose?.(undefined))
  useEffect(() => {
    if (opensBidding) drop()
  }, [opensBidding])
  if (failed) return <Withheld failed={failed} />
  if (!demand) return null
  if (demand.dealers === 0) return none
  return (
    <section aria-label="Demand for this vehicle" className="mb-4">
      <Summary demand={demand} words={notifiedText(demand, { asked: vehicle.price, hasPhotos, opensBidding })} />
      <OrderTerms orders={demand.orders} hasPhotos={hasPhotos} asked={vehicle.price} />
      {best && onChoose ? (
        <OfferWithPost
          price={best.price}
          chosen={isChosen}
          onChange={(on) => (on ? choose(best.ref) : onChoose(undefined))}
        />
      ) : null}
    </section>
  )
}

interface OrderTermsProps {
  orders: readonly DemandOrder[]
  hasPhotos: boolean
  asked: number | undefined
}

function OrderTerms({ orders, hasPhotos, asked }: OrderTermsProps) {
  if (orders.length === 0) return null
  return (
    <ul className="num mt-3 divide-y divide-line overflow-hidden rounded-md border border-line bg-surface">
      {orders.map((order) => (
        <Terms
          key={order.ref}
          order={order}
          missing={missingRequirement(order, hasPhotos)}
          isOutOfReach={!isInReach(order, asked)}
        />
      ))}
    </ul>
  )
}

interface OfferWithPostProps {
  price: number
  chosen: boolean
  onChange: (on: boolean) => void
}

function OfferWithPost({ price, chosen, onChange }: OfferWithPostProps) {
  return (
    <div className="mt-3">
      <Checkbox checked={chosen} onChange={onChange} label="Offer it to the top buyer when I post" />
      <p className="ml-6 text-xs text-ink-2">
        They'll see your name and have 24 hours to accept {formatMoney(price)}. The post stays public meanwhile.
      </p>
    </div>
  )
}

const unavailable = 500

/** Shows a Retry button only after a failure, because a retry does not help if the server withholds the demand. */
function Withheld({ failed: { error, isFetching, refetch } }: { failed: ReturnType<typeof useQuery<Demand>> }) {
  if (error instanceof ApiError && error.status < unavailable && error.retryAt === undefined)
    return <p className="mb-4 text-xs text-ink-2">Demand is not shown. {reasonOf(error)}.</p>
  return (
    <div className="mb-4">
      <InlineError
        title="Demand could not be loaded"
        message={reasonOf(error)}
        retrying={isFetching}
        onRetry={() => void refetch()}
      />
    </div>
  )
}

const whyWithheld: Record<NonNullable<Demand['withheld']>, string> = {
  order: "You're buying these too, so prices are hidden.",
  asked: "You've looked up many vehicles without posting them, so prices are hidden for now.",
}

/** True if the vehicle has no asking price, or an asking price at most slightly above the order's price. */
const isInReach = ({ price }: DemandOrder, asked: number | undefined): boolean =>
  asked === undefined || asked <= price * (1 + askedAboveShare)

function notifiedText(
  { dealers, orders }: Demand,
  { asked, hasPhotos, opensBidding }: PostTraits & { asked: number | undefined },
): string {
  if (opensBidding) return "Buyers aren't notified during an auction; buy orders need a fixed price."
  if (orders.length === 0) return 'Buyers whose price and terms it fits are notified within seconds of posting.'
  const price = asked === undefined ? 'Without a price,' : `At ${formatMoney(asked)},`
  const inReach = orders.filter((order) => isInReach(order, asked))
  const notified = inReach.filter((order) => !order.photosOnly || hasPhotos)
  if (inReach.length === 0)
    return `${price} no buyers are notified: your price is more than 10% above what these buyers pay.`
  if (notified.length === 0) return `${price} no buyers are notified unless you add photos.`
  const isAll = notified.length === orders.length && dealers <= orders.length
  const some = `${notified.length} of the buyers shown`
  const ifDriven = notified.some(({ drive }) => drive !== null) ? ', if the drivetrain fits' : ''
  return `${price} we'll notify ${isAll ? nounOf(dealers, 'them', 'all of them') : some} within seconds of posting${ifDriven}.`
}

function Summary({ demand, words }: { demand: Demand; words: string }) {
  const { dealers, perMonth, best, nearest, withheld, isEarlier } = demand
  return (
    <div role="status" className="num rounded-md border border-accent-line bg-accent-soft p-3">
      <h3 className="text-md font-semibold">
        {plural(dealers, 'dealer')} {nounOf(dealers, 'wants', 'want')} this car
      </h3>
      <p className="text-pretty text-ink-2">
        {words}
        {best === null ? '' : ` Best ${formatMoney(best)}`}
        {nearest === null ? '' : `, nearest about ${formatMileage(nearest)}`}
        <DotSeparator />
        {formatNumber(perMonth)} per month{dealers === 1 ? '' : ' between them'}
      </p>
      {withheld === null ? null : <p className="text-ink-2">{whyWithheld[withheld]}</p>}
      {isEarlier ? (
        <p className="text-ink-2">
          You just looked up this VIN with different details, so these are its last figures. Try again in ten minutes.
        </p>
      ) : null}
    </div>
  )
}

interface TermsProps {
  order: DemandOrder
  missing: string | undefined
  /** True if the asking price is too far above the order's price to notify the buyer. An offer is still possible. */
  isOutOfReach: boolean
}

function Terms({ order, missing, isOutOfReach }: TermsProps) {
  const { price, miles, rating, perMonth, photosOnly, note, name } = order
  const where = miles === null ? 'distance not stated' : `about ${formatMileage(miles)}`
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-3 px-3 py-2">
      <b className="text-md font-semibold">{formatMoney(price)}</b>
      <span className="text-xs text-ink-2">
        {name === null ? null : <span className="block font-medium text-ink">{name}</span>}
        <span className="block">
          <span className="whitespace-nowrap">{where}</span>
          {rating === null ? null : (
            <>
              <DotSeparator />
              <span className="whitespace-nowrap">rated {formatRating(rating)}</span>
            </>
          )}
        </span>
        <span className="block">{photosOnly ? `${perMonth} per month, with photos` : `${perMonth} per month`}</span>
        {note === '' ? null : <span className="block">“{note}”</span>}
      </span>
      <Verdict missing={missing ?? (isOutOfReach ? 'Your price is higher' : undefined)} />
    </li>
  )
}

function Verdict({ missing }: { missing: string | undefined }) {
  return missing === undefined ? (
    <Badge tone="success" icon={<Check size={12} aria-hidden="true" />}>
      Fits
    </Badge>
  ) : (
    <Badge tone="warning">{missing}</Badge>
  )
}
