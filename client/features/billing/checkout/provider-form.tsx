import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, Suspense, useEffect } from 'react'
import type { ClientSecret } from '#shared/schemas/billing.ts'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { lazyPart } from '#client/lib/screen/lazy-part.ts'
import { InlineError } from '#client/ui/inline-error.tsx'
import { QueryError } from '#client/ui/query-state.tsx'
import { Loading, Skeleton } from '#client/ui/skeleton.tsx'
import { clientSecretQuery } from '../billing.api.ts'
import type { ElementPaymentProps } from './element-payment.tsx'
import { storeSelectedPlan } from './selected-plan.ts'

const ElementPayment = lazyPart(async () => (await import('./element-payment.tsx')).ElementPayment)

const waiting = (
  <Loading label="Preparing the payment form">
    <Skeleton className="h-40" />
  </Loading>
)

/** Loads the payment provider's code and script only where the form is shown. */
export function ProviderForm({
  publishableKey,
  ...rest
}: Omit<ElementPaymentProps, 'publishableKey'> & { publishableKey: string | null }) {
  if (publishableKey === null) {
    return <InlineError title="Payments are not set up on this server" message="Please contact us to subscribe." />
  }
  return (
    <Suspense fallback={waiting}>
      <ElementPayment publishableKey={publishableKey} {...rest} />
    </Suspense>
  )
}

interface PaymentSecretProps {
  secret: UseQueryResult<ClientSecret>
  children: (clientSecret: string) => ReactNode
}

export function PaymentSecret({ secret, children }: PaymentSecretProps) {
  if (secret.isError) {
    return <QueryError query={secret} failure="The payment form could not be loaded" />
  }
  return secret.data ? children(secret.data.clientSecret) : waiting
}

interface PlanPaymentElementProps {
  planId: string
  publishableKey: string | null
  label: string
  onPaid: ElementPaymentProps['onPaid']
  onFailed: (error: Error) => void
}

export function PlanPaymentElement({ planId, ...rest }: PlanPaymentElementProps) {
  const { id: dealerId } = useCurrentDealer()
  const secret = useQuery(clientSecretQuery(planId))
  // Remember the plan: if a payment on the bank's page is declined, /subscribe offers this plan again.
  useEffect(() => storeSelectedPlan(planId, dealerId), [planId, dealerId])
  return (
    <PaymentSecret secret={secret}>
      {(clientSecret) => <ProviderForm kind="payment" clientSecret={clientSecret} {...rest} />}
    </PaymentSecret>
  )
}
