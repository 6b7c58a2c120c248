import type { MySubscription, SubscriptionPlan } from '#shared/schemas/billing.ts'
import { Badge } from '#client/ui/badge.tsx'
import { Button } from '#client/ui/button.tsx'
import { ButtonLink } from '#client/ui/button-link.tsx'
import { Card, CardHeader } from '#client/ui/card.tsx'
import { formatMoney } from '#client/ui/format.ts'

interface AvailablePlansProps {
  plans: readonly SubscriptionPlan[]
  subscription: MySubscription['subscription']
  onChange: (plan: SubscriptionPlan) => void
}

export function AvailablePlans({ plans, subscription, onChange }: AvailablePlansProps) {
  return (
    <Card aria-label="Available Plans">
      <CardHeader title="Available Plans" />
      <ul className="pb-1">
        {plans.map((plan) => (
          <li
            key={plan.id}
            className="flex items-center justify-between gap-3 border-line px-4 py-3 not-last:border-b max-sm:flex-wrap"
          >
            <div className="min-w-0">
              <h3 className="text-base font-semibold">{plan.name}</h3>
              <p className="text-ink-2">{plan.features.join(', ')}</p>
            </div>
            <div className="flex flex-none items-center gap-4 max-sm:w-full max-sm:justify-between">
              <p>
                <b className="num text-base font-semibold">{formatMoney(plan.price)}</b>{' '}
                <span className="text-xs text-ink-2">per month</span>
              </p>
              <div className="flex w-24 justify-end">
                <PlanAct plan={plan} subscription={subscription} onChange={onChange} />
              </div>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  )
}

interface PlanActProps extends Omit<AvailablePlansProps, 'plans'> {
  plan: SubscriptionPlan
}

function PlanAct({ plan, subscription, onChange }: PlanActProps) {
  if (subscription?.plan.id === plan.id) return <Badge tone="accent">Current Plan</Badge>
  if (!subscription) return <ButtonLink href="/subscribe">Get Started</ButtonLink>
  if (subscription.complimentary) {
    return <ButtonLink href={`/payment?plan=${encodeURIComponent(plan.id)}`}>Subscribe</ButtonLink>
  }
  const word = plan.price > subscription.price ? 'Upgrade' : 'Change'
  return (
    <Button
      disabled={subscription.status !== 'active'}
      aria-label={`${word} to ${plan.name}`}
      onClick={() => onChange(plan)}
    >
      {word}
    </Button>
  )
}
