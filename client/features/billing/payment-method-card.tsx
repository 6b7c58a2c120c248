import { CreditCard } from 'lucide-react'
import type { BillingOverview } from '#shared/schemas/billing.ts'
import { Card, CardHeader } from '#client/ui/card.tsx'
import { capitalise } from '#client/ui/format.ts'

type PaymentMethod = NonNullable<BillingOverview['paymentMethod']>

/** Brand and last four digits: all that we are told. */
export function PaymentMethodCard({ method }: { method: PaymentMethod }) {
  const expiry = `${String(method.expMonth).padStart(2, '0')} / ${String(method.expYear).slice(-2)}`
  return (
    <Card aria-label="Payment Method">
      <CardHeader title="Payment Method" />
      <p className="flex items-center gap-3 px-4 pt-1 pb-4">
        <CreditCard size={20} aria-hidden="true" className="text-ink-2" />
        <span className="num text-base font-semibold">
          {capitalise(method.brand)} ending in {method.last4}
        </span>
        <span className="num text-ink-2">Expires {expiry}</span>
      </p>
    </Card>
  )
}
