import { useQuery } from '@tanstack/react-query'
import CreditCard from 'lucide-react/icons/credit-card'
import { useEffect } from 'react'
import { useSearchParams } from 'wouter'
import { Button } from '#client/ui/button.tsx'
import { Card, CardHeader } from '#client/ui/card.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { capitalize } from '#client/ui/format.ts'
import { toast, toastFailure } from '#client/ui/toast-store.ts'
import type { BillingOverview, CardChange, PaymentConfig } from '#shared/schemas/billing.ts'
import { cardRefused, cardSetupQuery, useReplaceCard } from '../billing.api.ts'
import { CardPaymentForm } from '../checkout/card-form.tsx'
import { PaymentSecret, ProviderForm } from '../checkout/provider-form.tsx'
import { useCardPayment } from '../checkout/use-card-payment.ts'

interface PaymentMethodCardProps {
  method: BillingOverview['paymentMethod']
  /** Undefined if the dealer has nothing to pay for. */
  onChange: (() => void) | undefined
}

/** Shows the card that is charged. Its details come from the payment provider. */
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
          hint="Your payment card appears here."
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
        {capitalize(method.brand)} ending in {method.last4}
      </span>
      <span className="num text-ink-2">Expires {expiry}</span>
    </p>
  )
}

interface ChangeCardDialogProps {
  config: PaymentConfig
  demo: boolean
  onClose: () => void
}

/** Saves a new card. Charges it immediately only if an invoice is open. */
export function ChangeCardDialog({ config, demo, onClose }: ChangeCardDialogProps) {
  const setup = useQuery(cardSetupQuery())
  const card = useNewCard(onClose)
  return (
    <Dialog
      open
      onOpenChange={(stays) => !stays && onClose()}
      title="Change card"
      description="This card is charged starting on your next billing date. If an invoice is unpaid, we charge it to this card right away."
    >
      <PaymentSecret secret={setup}>
        {(clientSecret) => {
          const outcome = {
            onPaid: () => card.apply(clientSecret),
            onFailed: (error: Error) => toastFailure(cardRefused, error),
          }
          return config.form === 'element' ? (
            <ProviderForm
              kind="card"
              publishableKey={config.publishableKey}
              clientSecret={clientSecret}
              label="Save card"
              {...outcome}
            />
          ) : (
            <OwnForm clientSecret={clientSecret} demo={demo} saving={card.saving} {...outcome} />
          )
        }}
      </PaymentSecret>
    </Dialog>
  )
}

interface OwnFormProps {
  clientSecret: string
  demo: boolean
  saving: boolean
  onPaid: () => void
  onFailed: (error: Error) => void
}

function OwnForm({ clientSecret, demo, saving, ...outcome }: OwnFormProps) {
  const payment = useCardPayment(outcome)
  return (
    <CardPaymentForm
      what="card"
      payment={{ ...payment, busy: payment.busy || saving }}
      label="Save card"
      demo={demo}
      onCard={(card) => payment.payFor(clientSecret, card)}
    />
  )
}

function toastChange({ paymentMethod: card, openInvoice, refusal }: CardChange) {
  const name = card ? `${capitalize(card.brand)} ending in ${card.last4}` : 'Your new card'
  if (openInvoice === 'refused') {
    const description = `${name} is saved, but the open invoice was not paid: ${refusal ?? ''}`
    toast({ title: 'Payment Failed', description, variant: 'destructive' })
  } else if (openInvoice === 'paid')
    toast({ title: 'Payment Successful', description: `The open invoice is paid with ${name}.` })
  else toast({ title: 'Card Changed', description: `${name} will be charged from now on.` })
}

function useNewCard(done: () => void) {
  const { mutate, isPending } = useReplaceCard(toastChange)
  return { apply: (clientSecret: string) => mutate(clientSecret, { onSuccess: done }), saving: isPending }
}

/** Saves the new card when the bank's page redirects back here. Removes the query string first, so that a reload does not save it again. */
export function useReturnWithCard() {
  const [params, setParams] = useSearchParams()
  const { mutate } = useReplaceCard(toastChange)
  const clientSecret = params.get('setup_intent_client_secret')
  useEffect(() => {
    if (clientSecret === null) return
    setParams(new URLSearchParams(), { replace: true })
    mutate(clientSecret)
  }, [clientSecret, setParams, mutate])
}
