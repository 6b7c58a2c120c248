import Camera from 'lucide-react/icons/camera'
import ShieldCheck from 'lucide-react/icons/shield-check'
import TriangleAlert from 'lucide-react/icons/triangle-exclamation-point'
import { Link } from 'wouter'
import { StatusBadge } from '#client/ui/badge.tsx'
import { DealerLink } from '#client/ui/dealer-link.tsx'
import { formatDateTime, formatMileage, formatMoney, formatVehicle } from '#client/ui/format.ts'
import { Fact } from '#client/ui/labeled-fact.tsx'
import { Picture } from '#client/ui/picture.tsx'
import { PriceWithFee } from '#client/ui/price-with-fee.tsx'
import type { DealDetail } from '#shared/schemas/deals.ts'

interface DealHeadProps {
  deal: DealDetail
  selling: boolean
  /** The heading level. It is 2 if the page has a title of its own. */
  level: 1 | 2
}

export function DealHead({ deal, selling, level }: DealHeadProps) {
  const Heading = `h${level}` as const
  const name = formatVehicle(deal) || 'Deal'
  return (
    <>
      <div className="@[24rem]/deal:flex @[24rem]/deal:gap-4 @[24rem]/deal:p-4 @[24rem]/deal:pb-3">
        <Photo src={deal.photo} name={name} />
        <div className="min-w-0 flex-1 px-4 pt-3 @[24rem]/deal:p-0">
          <Heading id="deal-title" className="text-lg font-semibold tracking-lg wrap-anywhere">
            {name}
          </Heading>
          <p className="text-ink-2">
            {selling ? 'Selling to' : 'Buying from'} <PartyName deal={deal} side={selling ? 'buyer' : 'seller'} />
            {deal.source === 'auction' ? ', won at auction' : ''}
          </p>
          <div className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-1">
            <p className="num text-lg font-semibold tracking-lg">{formatMoney(deal.price)}</p>
            <StatusBadge status={deal.status} />
            {deal.postId ? (
              <Link
                href={`/post/${deal.postId}`}
                className="rounded-sm text-accent-ink underline-offset-3 hover:underline"
              >
                Open the post
              </Link>
            ) : null}
          </div>
          {/* Only the buyer pays the fee, so the seller does not see it. */}
          {selling ? null : <PriceWithFee price={deal.price} fee={{ flat: deal.buyFee ?? 0, percent: 0 }} />}
        </div>
      </div>
      <Facts deal={deal} />
    </>
  )
}

const photoLook =
  'w-full flex-none bg-pressed md:rounded-t-md @[24rem]/deal:h-32 @[24rem]/deal:w-43 @[24rem]/deal:rounded-md'

function Photo({ src, name }: { src: string | null; name: string }) {
  if (src !== null)
    return (
      <Picture
        src={src}
        alt={name}
        eager="first"
        sizes="(width < 48rem) 100vw, 11rem"
        className={`block h-44 object-cover ${photoLook}`}
      />
    )
  return (
    <span
      role="img"
      aria-label="No photo"
      className={`grid h-28 place-items-center text-ink-3 forced-colors:border ${photoLook}`}
    >
      <Camera size={24} aria-hidden="true" />
    </span>
  )
}

/** A deleted dealer has no profile to link to. */
function PartyName({ deal, side }: { deal: DealDetail; side: 'seller' | 'buyer' }) {
  const isDeleted = deal.absent.some((one) => one.side === side && one.is === 'deleted')
  return isDeleted ? deal[side].name : <DealerLink dealer={deal[side]} />
}

function Facts({ deal }: { deal: DealDetail }) {
  // The dealership's name is missing if the dealer was deleted.
  const dealershipOf = (side: 'seller' | 'buyer') => deal[side].dealershipName && `, ${deal[side].dealershipName}`
  return (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-3 px-4 py-3 @[28rem]/deal:grid-cols-3">
      <Fact label="VIN">{deal.vin ? <span className="vin">{deal.vin}</span> : 'Not given'}</Fact>
      <Fact label="Mileage">
        <span className="num">{deal.mileage === null ? 'Not given' : formatMileage(deal.mileage)}</span>
      </Fact>
      <Fact label="Color">{deal.color ?? 'Not given'}</Fact>
      <Fact label="Location">{deal.location || 'Not given'}</Fact>
      <Fact label="Seller">
        <PartyName deal={deal} side="seller" />
        {dealershipOf('seller')}
      </Fact>
      <Fact label="Buyer">
        <PartyName deal={deal} side="buyer" />
        {dealershipOf('buyer')}
      </Fact>
    </dl>
  )
}

export function Absence({ deal, me }: { deal: DealDetail; me: string }) {
  const isOpen = deal.status === 'pending' || deal.status === 'approved'
  const notes = deal.absent.flatMap(({ side, is }) => {
    if (deal[side].id === me) return []
    if (is === 'deleted')
      return isOpen
        ? `The ${side} is no longer on Lanewire. Cancel the deal to close it.`
        : `The ${side} is no longer on Lanewire.`
    return isOpen
      ? `${deal[side].name} cannot use Lanewire right now. You can wait for them or cancel the deal.`
      : `${deal[side].name} cannot use Lanewire right now.`
  })
  return (
    <div role="status">
      {notes.map((note) => (
        <p key={note} className="mx-4 mb-3 flex gap-2 rounded-md bg-warning-soft px-3 py-2 text-warning-ink">
          <TriangleAlert size={16} className="mt-0.5 flex-none" aria-hidden="true" />
          {note}
        </p>
      ))}
    </div>
  )
}

const reviewTexts = {
  pending: { title: 'In review at Lanewire', look: 'bg-warning-soft text-warning-ink' },
  approved: { title: 'Approved by Lanewire', look: 'bg-success-soft text-success-ink' },
  rejected: { title: 'Rejected by Lanewire', look: 'bg-danger-soft text-danger-ink' },
} as const

/** An admin's review of the deal, which does not change the deal's status. */
export function Review({ deal: { review } }: { deal: DealDetail }) {
  const words = review && reviewTexts[review.status]
  return (
    <div role="status">
      {review && words ? (
        <div className={`mx-4 mb-3 flex gap-2 rounded-md px-3 py-2 ${words.look}`}>
          <ShieldCheck size={16} className="mt-0.5 flex-none" aria-hidden="true" />
          <div className="min-w-0 flex-1">
            <p className="font-semibold">
              {words.title},{' '}
              <time dateTime={review.at ?? review.submittedAt}>{formatDateTime(review.at ?? review.submittedAt)}</time>
            </p>
            {review.reason ? <p className="wrap-anywhere whitespace-pre-line text-ink">{review.reason}</p> : null}
          </div>
        </div>
      ) : null}
    </div>
  )
}
