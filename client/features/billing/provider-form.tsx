import type { UseQueryResult } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense } from 'react'
import type { ClientSecret } from '#shared/schemas/billing.ts'
import { reasonOf } from '#client/lib/api.ts'
import { InlineError } from '#client/ui/inline-error.tsx'
import { Loading, Skeleton } from '#client/ui/skeleton.tsx'
import type { ElementPaymentProps } from './element-payment.tsx'

const ElementPayment = lazy(async () => ({ default: (await import('./element-payment.tsx')).ElementPayment }))

const waiting = (
  <Loading label="Preparing the payment form">
    <Skeleton className="h-40" />
  </Loading>
)

/** The provider's own form; its script is loaded only where it is shown. */
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

/** What a payment form confirms, or why there is none. */
export function PaymentSecret({ secret, children }: PaymentSecretProps) {
  if (secret.isError) {
    return (
      <InlineError
        title="The payment could not be prepared"
        message={reasonOf(secret.error)}
        onRetry={() => void secret.refetch()}
        retrying={secret.isFetching}
      />
    )
  }
  return secret.data ? children(secret.data.clientSecret) : waiting
}
