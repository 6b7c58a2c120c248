import { CreditCard } from 'lucide-react'
import type { BillingOverview } from '#shared/schemas/billing.ts'
import { Button } from '#client/ui/button.tsx'
import { Card, CardHeader } from '#client/ui/card.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { capitalise } from '#client/ui/format.ts'

interface PaymentMethodCardProps {
  method: BillingOverview['paymentMethod']
  /** Absent where there is nothing to pay for. */
  onChange: (() => void) | undefined
}

/** Brand and last four digits, which is all that we are told, and the way to another card. */
export function PaymentMethodCard({ method, onChange }: PaymentMethodCardProps) {
  const change = onChange ? (
    <Button size="sm" onClick={onChange}>
      {method ? 'Change card' : 'Add card'}
    </Button>
  ) : null
  return (
    <Card aria-label="Payment Method">
      {method ? (
        <>
          <CardHeader title="Payment Method">{change}</CardHeader>
          <CardFacts method={method} />
        </>
      ) : (
        <EmptyState
          compact
          icon={<CreditCard size={24} />}
          title="No payment method"
          hint="The card that you pay with shows here."
          action={change}
        />
      )}
    </Card>
  )
}

function CardFacts({ method }: { method: NonNullable<BillingOverview['paymentMethod']> }) {
  const expiry = `${String(method.expMonth).padStart(2, '0')} / ${String(method.expYear).slice(-2)}`
  return (
    <p className="flex items-center gap-3 px-4 pt-1 pb-4">
      <CreditCard size={20} aria-hidden="true" className="text-ink-2" />
      <span className="num text-base font-semibold">
        {capitalise(method.brand)} ending in {method.last4}
      </span>
      <span className="num text-ink-2">Expires {expiry}</span>
    </p>
  )
}
