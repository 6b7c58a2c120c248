import { useQuery } from '@tanstack/react-query'
import type { PaymentConfig } from '#shared/schemas/billing.ts'
import { Dialog } from '#client/ui/dialog.tsx'
import { toastFailure } from '#client/ui/toast-store.ts'
import { cardRefused, cardSetupQuery } from './billing.api.ts'
import { CardPaymentForm } from './card-payment-form.tsx'
import { PaymentSecret, ProviderForm } from './provider-form.tsx'
import { useCardPayment } from './use-card-payment.ts'
import { useNewCard } from './use-new-card.ts'

interface ChangeCardDialogProps {
  config: PaymentConfig
  demo: boolean
  onClose: () => void
}

/** Another card for the running subscription; nothing is charged unless an invoice waits for payment. */
export function ChangeCardDialog({ config, demo, onClose }: ChangeCardDialogProps) {
  const setup = useQuery(cardSetupQuery())
  const card = useNewCard(onClose)
  return (
    <Dialog
      open
      onOpenChange={(stays) => !stays && onClose()}
      title="Change card"
      description="This card is charged from the next billing date on. An invoice that waits for payment is tried with it at once."
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
