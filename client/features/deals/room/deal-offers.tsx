import { Card, CardBody, CardHeader } from '#client/ui/card.tsx'
import { cx } from '#client/ui/cx.ts'
import { formatDateTime, formatMoney } from '#client/ui/format.ts'
import type { DealDetail, DealStep } from '#shared/schemas/deals.ts'

const names: Record<string, string> = {
  reserve_not_met: 'Highest bid',
  offered: 'Offer',
  countered: 'Counter-offer',
  accepted: 'Accepted',
  opened: 'Winning bid',
}

type OfferStep = DealStep & { amount: number }

/** Returns the offers and counteroffers that led to the deal, newest first. */
const offerStepsOf = ({ steps }: DealDetail): OfferStep[] =>
  steps
    .flatMap((step) => (step.kind in names && step.amount !== null ? { ...step, amount: step.amount } : []))
    .toReversed()

/** True if the list of offers shows this step, so that the timeline omits it. */
export const isShownAsOffer = (kind: string): boolean => kind === 'offered' || kind === 'countered'

const rail =
  'before:absolute before:top-4 before:bottom-6 before:left-[0.4375rem] before:border-l-2 before:border-dashed before:border-line-strong'

export function DealOffers({ deal }: { deal: DealDetail }) {
  const offers = offerStepsOf(deal)
  return (
    <Card aria-labelledby="deal-offers">
      <CardHeader id="deal-offers" title="Offers" />
      <CardBody>
        {offers.length === 0 ? (
          <p className="text-ink-2">
            Agreed at <span className="num font-semibold text-ink">{formatMoney(deal.price)}</span>. No offers are
            recorded.
          </p>
        ) : (
          <ol className={cx('relative', offers.length > 1 && rail)}>
            {offers.map((offer, index) => (
              <OfferRow key={`${offer.at} ${index}`} offer={offer} before={offers[index + 1]} isTop={index === 0} />
            ))}
          </ol>
        )}
      </CardBody>
    </Card>
  )
}

function OfferRow({ offer, before, isTop }: { offer: OfferStep; before: OfferStep | undefined; isTop: boolean }) {
  const change = before === undefined ? 0 : offer.amount - before.amount
  return (
    <li className="relative py-1 pl-7">
      <span
        aria-hidden="true"
        className={cx(
          'absolute top-3.5 left-0 size-4 rounded-full border-2',
          isTop ? 'border-success bg-success' : 'border-control bg-surface',
        )}
      />
      <div className={cx('flex items-baseline gap-3 rounded-md px-3 py-2', isTop ? 'bg-success-soft' : 'bg-sunken')}>
        <p className="min-w-0 flex-1">
          <span className={cx('font-medium', isTop && 'text-success-ink')}>{names[offer.kind]}</span>
          <span className="block text-xs text-ink-2">
            {offer.by ? `${offer.by}, ` : ''}
            <time dateTime={offer.at}>{formatDateTime(offer.at)}</time>
          </span>
        </p>
        {change === 0 ? null : (
          <span className="num text-xs text-ink-2">
            {change > 0 ? '+' : '−'}
            {formatMoney(Math.abs(change))}
          </span>
        )}
        <span className="num font-semibold">{formatMoney(offer.amount)}</span>
      </div>
    </li>
  )
}
