import Check from 'lucide-react/icons/check'
import { pricing } from '#client/content/pricing.ts'
import { Badge } from '#client/ui/badge.tsx'
import { buttonClass } from '#client/ui/button.tsx'
import { cx } from '#client/ui/cx.ts'
import { formatMoney } from '#client/ui/format.ts'
import { InlineError } from '#client/ui/inline-error.tsx'
import { Loading, Skeleton } from '#client/ui/skeleton.tsx'
import { loadPlans, type PublicPlan } from './site.api.ts'
import { useLoad } from './use-load.ts'

const mostPopular = 'Premium Plan'
const enterprise = 'Enterprise Plan'

/** The page passes Enterprise's features, so that visitors do not load the whole table of entitlements. */
export function PlanCards({ enterpriseFeatures }: { enterpriseFeatures: readonly string[] }) {
  const plans = useLoad(loadPlans)
  if (plans.error)
    return <InlineError title="The plans could not be loaded" message={plans.error} onRetry={plans.retry} />
  const shown = plans.data?.filter((plan) => plan.name !== enterprise)
  const single = plans.data?.find((plan) => plan.name === enterprise)
  const { unit } = pricing.enterprise
  return (
    <div className="grid gap-3 lg:grid-cols-3">
      {shown ? shown.map((plan) => <PlanCard key={plan.id} plan={plan} />) : <PlanSkeletons />}
      <PlanFrame
        name={pricing.enterprise.name}
        price={pricing.enterprise.price}
        unit={single ? `${unit}; ${formatMoney(single.price)} per month for one dealer` : unit}
        features={enterpriseFeatures}
      >
        <a href="/contact?topic=sales" className={buttonClass({ size: 'lg', block: true })}>
          {pricing.enterprise.action}
        </a>
      </PlanFrame>
    </div>
  )
}

function PlanCard({ plan }: { plan: PublicPlan }) {
  const popular = plan.name === mostPopular
  return (
    <PlanFrame
      name={plan.name.replace(/ Plan$/, '')}
      price={formatMoney(plan.price)}
      unit="per month"
      features={plan.features}
      popular={popular}
    >
      <a
        href={`/login?mode=signup&plan=${encodeURIComponent(plan.id)}`}
        className={buttonClass({ variant: popular ? 'primary' : 'secondary', size: 'lg', block: true })}
      >
        Get Started
      </a>
    </PlanFrame>
  )
}

interface PlanFrameProps {
  name: string
  price: string
  unit: string
  features: readonly string[]
  popular?: boolean
  children: React.ReactNode
}

function PlanFrame({ name, price, unit, features, popular = false, children }: PlanFrameProps) {
  return (
    <article
      className={cx(
        'flex min-h-86 flex-col gap-4 rounded-md border bg-surface p-6 shadow-1',
        popular ? 'border-accent shadow-[inset_0_0_0_1px_var(--lw-accent)]' : 'border-line',
      )}
    >
      <div className="flex items-center justify-between">
        <h3 className="text-md font-semibold">{name}</h3>
        {popular ? <Badge tone="accent">Most Popular</Badge> : null}
      </div>
      <div>
        <p className="num text-xl font-semibold tracking-xl">{price}</p>
        <p className="text-ink-2 lg:max-xl:min-h-10">{unit}</p>
      </div>
      <ul className="flex-1">
        {features.map((feature) => (
          <li key={feature} className="flex gap-2 py-1 text-ink-2">
            <Check size={16} className="mt-0.5 text-accent-ink" aria-hidden="true" />
            {feature}
          </li>
        ))}
      </ul>
      {children}
    </article>
  )
}

/** Placeholders as tall as the cards, so that nothing moves when the plans load. */
function PlanSkeletons() {
  return [1, 2].map((place) => (
    <div key={place} className="min-h-86 rounded-md border border-line bg-surface p-6">
      <Loading label="Loading plans">
        <div className="space-y-4">
          <Skeleton className="h-6 w-24" />
          <Skeleton className="h-11 w-32" />
          <Skeleton className="h-4 w-3/4" />
          <Skeleton className="h-4 w-2/3" />
        </div>
      </Loading>
    </div>
  ))
}
