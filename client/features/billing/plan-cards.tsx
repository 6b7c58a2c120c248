import { mostPopularPlan } from '#shared/constants/billing.ts'
import type { MySubscription, SubscriptionPlan } from '#shared/schemas/billing.ts'
import { Badge } from '#client/ui/badge.tsx'
import { Button } from '#client/ui/button.tsx'
import { Card } from '#client/ui/card.tsx'
import { cx } from '#client/ui/cx.ts'
import { formatMoney } from '#client/ui/format.ts'
import { Loading, Skeleton } from '#client/ui/skeleton.tsx'
import { Features } from './checkout/plan-picker.tsx'

interface PlanCardsProps {
  plans: readonly SubscriptionPlan[]
  mine: MySubscription | undefined
  preparing: string | undefined
  selected: string | undefined
  onChoose: (plan: SubscriptionPlan) => void
}

export function PlanCards({ plans, mine, preparing, selected, onChoose }: PlanCardsProps) {
  return (
    <ul className="grid grid-cols-3 gap-3 max-lg:grid-cols-1">
      {plans.map((plan) => {
        const subscribed = mine?.hasSubscription === true
        const current = mine?.subscription?.plan.id === plan.id
        const popular = plan.name === mostPopularPlan
        const unavailable = current ? 'Current Plan' : 'Unavailable'
        const label = subscribed ? unavailable : 'Get Started'
        return (
          <li key={plan.id} className="flex">
            <Card
              aria-label={plan.name}
              className={cx(
                'flex flex-1 flex-col p-6 max-md:p-4',
                (popular || selected === plan.id) && 'border-accent!',
              )}
            >
              <div className="flex min-h-6 items-center justify-between gap-2">
                <h2 className="text-md font-semibold">{plan.name}</h2>
                {popular ? <Badge tone="accent">Most Popular</Badge> : null}
              </div>
              <p className="mt-2 flex items-baseline gap-1">
                <b className="num text-xl font-semibold tracking-xl max-md:text-[2rem] max-md:leading-9">
                  {formatMoney(plan.price)}
                </b>
                <span className="text-ink-2">per month</span>
              </p>
              <Features features={plan.features} className="my-4 flex-1" />
              <Button
                variant={popular ? 'primary' : 'secondary'}
                size="lg"
                block
                disabled={subscribed || mine === undefined}
                busy={preparing === plan.id}
                aria-label={`${label}: ${plan.name}`}
                onClick={() => onChoose(plan)}
              >
                {label}
              </Button>
            </Card>
          </li>
        )
      })}
    </ul>
  )
}

export function PlanCardsSkeleton() {
  return (
    <Loading label="Loading plans">
      <div className="grid grid-cols-3 gap-3 max-lg:grid-cols-1">
        {[0, 1, 2].map((card) => (
          <Card key={card} className="space-y-4 p-6">
            <Skeleton className="h-4 w-1/3" />
            <Skeleton className="h-10 w-1/2" />
            <Skeleton />
            <Skeleton />
            <Skeleton className="h-10" />
          </Card>
        ))}
      </div>
    </Loading>
  )
}
