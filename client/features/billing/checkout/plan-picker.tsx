import Check from 'lucide-react/icons/check'
import * as Radix from '@radix-ui/react-radio-group'
import type { SubscriptionPlan } from '#shared/schemas/billing.ts'
import { cx } from '#client/ui/cx.ts'
import { formatMoney } from '#client/ui/format.ts'

interface PlanPickerProps {
  plans: readonly SubscriptionPlan[]
  value: string | null
  onChange: (planId: string) => void
}

export const shortPlanName = (name: string): string => name.replace(/ Plan$/, '')

export function PlanPicker({ plans, value, onChange }: PlanPickerProps) {
  return (
    <Radix.Root
      aria-label="Plan"
      value={value ?? ''}
      onValueChange={onChange}
      className="grid grid-cols-2 gap-3 max-sm:grid-cols-1 max-md:px-4"
    >
      {plans.map((plan) => (
        <Radix.Item
          key={plan.id}
          value={plan.id}
          aria-label={`${shortPlanName(plan.name)}, ${formatMoney(plan.price)} per month`}
          className={cx(
            // Use a column layout: buttons center their content, so the prices of shorter and taller cards would not line up.
            'group flex flex-col rounded-md border bg-surface p-4 text-left shadow-1 transition-colors',
            'border-line hover:border-line-strong data-[state=checked]:border-accent data-[state=checked]:outline-1 data-[state=checked]:-outline-offset-2 data-[state=checked]:outline-accent',
            'focus-visible:outline-2 focus-visible:outline-offset-2 focus-visible:outline-focus',
          )}
        >
          <span className="flex flex-wrap items-center justify-between gap-2">
            <span className="flex items-center gap-2 text-md font-semibold">
              <i
                aria-hidden="true"
                className="size-4 flex-none rounded-full border border-control bg-surface group-data-[state=checked]:border-[5px] group-data-[state=checked]:border-accent"
              />
              {shortPlanName(plan.name)}
            </span>
            <span>
              <b className="num text-lg font-semibold tracking-lg">{formatMoney(plan.price)}</b>{' '}
              <span className="text-xs text-ink-2">per month</span>
            </span>
          </span>
          <Features features={plan.features} className="pt-2 pl-6" />
        </Radix.Item>
      ))}
    </Radix.Root>
  )
}

export function Features({ features, className }: { features: readonly string[]; className?: string }) {
  return (
    <span role="list" className={cx('flex flex-col gap-2', className)}>
      {features.map((feature) => (
        <span role="listitem" key={feature} className="flex items-start gap-2 text-ink-2">
          <Check size={16} aria-hidden="true" className="mt-0.5 text-accent-ink" />
          {feature}
        </span>
      ))}
    </span>
  )
}
