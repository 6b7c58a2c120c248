import { useQuery } from '@tanstack/react-query'
import { Card } from '#client/ui/card.tsx'
import { formatMoney, formatNumber, plural } from '#client/ui/format.ts'
import { pricingQuery } from '../admin.api.ts'
import { AddOnCard, PlanCard } from './admin-plan-card.tsx'
import { Figures } from '#client/ui/figures.tsx'
import { Load } from '../home/admin-load.tsx'
import { RevenueDistribution } from '../home/admin-revenue.tsx'

export function AdminPricing() {
  const pricing = useQuery(pricingQuery())
  const state = (
    <Card>
      <Load query={pricing} what="prices">
        {() => null}
      </Load>
    </Card>
  )
  if (!pricing.data) return state
  const { plans, addOns, monthlyRevenue, annualRevenue } = pricing.data
  const users = plans.reduce((sum, plan) => sum + plan.userCount, 0)
  const gifts = plans.reduce((sum, plan) => sum + plan.gifts, 0)
  return (
    <div className="space-y-3">
      {pricing.error ? state : null}
      <Figures
        label="Revenue"
        figures={[
          { label: 'Monthly revenue', value: formatMoney(monthlyRevenue) },
          { label: 'Annual revenue', value: formatMoney(annualRevenue), note: '12 times monthly' },
          { label: 'Subscribers', value: formatNumber(users), note: plural(gifts, 'complimentary plan') },
        ]}
      />
      <p className="text-xs text-ink-2 max-md:px-4">
        New prices apply to new subscribers. Existing subscribers keep their price.
      </p>
      <div className="grid gap-3 md:grid-cols-2 xl:grid-cols-4">
        {plans.map((plan) => (
          <PlanCard key={plan.id} plan={plan} />
        ))}
        {addOns.map((addOn) => (
          <AddOnCard key={addOn.id} addOn={addOn} />
        ))}
      </div>
      <RevenueDistribution rows={[...plans, ...addOns].map((row) => ({ ...row, users: row.userCount }))} />
    </div>
  )
}
