import { Card, CardBody, CardHeader } from '#client/ui/card.tsx'
import { formatDateTime, formatMoney } from '#client/ui/format.ts'
import type { DealStep } from '#shared/schemas/deals.ts'
import { isShownAsOffer } from './deal-offers.tsx'

const texts: Record<string, string> = {
  offered: 'Offer made',
  countered: 'Counter-offer',
  accepted: 'Offer accepted',
  declined: 'Offer declined',
  withdrawn: 'Offer withdrawn',
  expired: 'Offer expired',
  reserve_not_met: 'Auction ended below the reserve',
  opened: 'Deal created',
  approved: 'Deal approved',
  cancelled: 'Deal cancelled',
  completed: 'Deal completed',
  rejected: 'Deal rejected by Lanewire',
  submitted: 'Submitted for review',
  review_approved: 'Approved by Lanewire',
  review_rejected: 'Rejected by Lanewire',
  mileage: 'Mileage entered',
  signed_bill_of_sale: 'Bill of Sale signed',
  signed_odometer: 'Mileage statement signed',
}

export function DealTimeline({ steps: all }: { steps: readonly DealStep[] }) {
  const steps = all.filter(({ kind }) => !isShownAsOffer(kind))
  return (
    <Card aria-labelledby="deal-timeline">
      <CardHeader id="deal-timeline" title="Timeline" />
      <CardBody>
        {steps.length === 0 ? <p className="text-ink-2">Nothing recorded yet.</p> : null}
        <ol>
          {steps.map((step, index) => (
            <li
              key={index}
              className="relative border-l border-line-strong pb-3 pl-4 before:absolute before:top-1.5 before:-left-1 before:size-2 before:rounded-full before:bg-control last:pb-0"
            >
              <p className="font-medium">
                {texts[step.kind] ?? step.kind}
                {step.amount === null ? null : <span className="num"> · {formatMoney(step.amount)}</span>}
              </p>
              {step.note ? <p className="wrap-anywhere whitespace-pre-line">{step.note}</p> : null}
              <p className="text-xs text-ink-2">
                {step.by ? `${step.by}, ` : ''}
                <time dateTime={step.at}>{formatDateTime(step.at)}</time>
              </p>
            </li>
          ))}
        </ol>
      </CardBody>
    </Card>
  )
}
