import { useQuery } from '@tanstack/react-query'
import { CreditCard } from 'lucide-react'
import { useState } from 'react'
import type { BillingOverview, MySubscription } from '#shared/schemas/billing.ts'
import { Button } from '#client/ui/button.tsx'
import { Card, CardHeader } from '#client/ui/card.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { capitalise } from '#client/ui/format.ts'
import { paymentConfigQuery } from './billing.api.ts'
import { ChangeCardDialog } from './change-card-dialog.tsx'
import { PastDueNotice } from './past-due-notice.tsx'

interface PaymentMethodCardProps {
  method: BillingOverview['paymentMethod']
  subscription: MySubscription['subscription']
  demo: boolean
}

/** Brand and last four digits, which is all that we are told, and the way to another card. */
export function PaymentMethodCard({ method, subscription, demo }: PaymentMethodCardProps) {
  const [changing, setChanging] = useState(false)
  const config = useQuery(paymentConfigQuery())
  const changes = subscription !== null && !subscription.complimentary && config.data !== undefined
  const change = changes ? (
    <Button size="sm" onClick={() => setChanging(true)}>
      {method ? 'Change card' : 'Add card'}
    </Button>
  ) : null
  const owes = subscription?.status === 'past_due' || subscription?.status === 'unpaid'
  return (
    <>
      {changes && owes ? (
        <PastDueNotice label="Pay with another card" busy={false} onPay={() => setChanging(true)} />
      ) : null}
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
      {changing && config.data ? (
        <ChangeCardDialog config={config.data} demo={demo} onClose={() => setChanging(false)} />
      ) : null}
    </>
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
