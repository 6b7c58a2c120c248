import type { SubscriptionPlan } from '#shared/schemas/billing.ts'
import { Card, CardHeader } from '#client/ui/card.tsx'
import { formatMoney } from '#client/ui/format.ts'
import { shortPlanName } from './plan-picker.tsx'

interface PaymentSummaryProps {
  plan: SubscriptionPlan | undefined
  dealershipName: string
}

export function PaymentSummary({ plan, dealershipName }: PaymentSummaryProps) {
  return (
    <Card aria-label="Summary">
      <CardHeader title="Summary" />
      <dl className="px-4 pt-1 pb-3 [&>div]:flex [&>div]:justify-between [&>div]:gap-3 [&>div]:border-line [&>div]:py-2 [&>div:not(:last-child)]:border-b">
        <div>
          <dt className="text-ink-2">Plan</dt>
          <dd className="font-semibold">{plan ? shortPlanName(plan.name) : 'Not chosen yet'}</dd>
        </div>
        <div>
          <dt className="text-ink-2">Billing</dt>
          <dd>Monthly</dd>
        </div>
        <div>
          <dt className="text-ink-2">Dealership</dt>
          <dd className="text-right">{dealershipName}</dd>
        </div>
        <div className="text-md font-semibold">
          <dt>Due today</dt>
          <dd className="num">{formatMoney(plan?.price ?? 0, 'exact')}</dd>
        </div>
      </dl>
    </Card>
  )
}
