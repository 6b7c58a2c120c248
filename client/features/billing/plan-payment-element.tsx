import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { clientSecretQuery } from './billing.api.ts'
import { PaymentSecret, ProviderForm } from './provider-form.tsx'
import { storeSelectedPlan } from './selected-plan.ts'

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
  // A bank's own page leads back to /subscribe, which offers this plan again where the payment was refused.
  useEffect(() => storeSelectedPlan(planId), [planId])
  return (
    <PaymentSecret secret={secret}>
      {(clientSecret) => <ProviderForm kind="payment" clientSecret={clientSecret} {...rest} />}
    </PaymentSecret>
  )
}
