import { useQuery } from '@tanstack/react-query'
import { clientSecretQuery } from './billing.api.ts'
import { PaymentSecret, ProviderForm } from './provider-form.tsx'

interface PlanPaymentElementProps {
  planId: string
  publishableKey: string | null
  label: string
  onPaid: () => void
  onFailed: (error: Error) => void
}

/** The provider's form for what the plan costs now. */
export function PlanPaymentElement({ planId, ...rest }: PlanPaymentElementProps) {
  const secret = useQuery(clientSecretQuery(planId))
  return (
    <PaymentSecret secret={secret}>
      {(clientSecret) => <ProviderForm kind="payment" clientSecret={clientSecret} {...rest} />}
    </PaymentSecret>
  )
}
