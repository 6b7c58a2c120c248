import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { reasonOf } from '#client/lib/api.ts'
import { InlineError } from '#client/ui/inline-error.tsx'
import { Loading, Skeleton } from '#client/ui/skeleton.tsx'
import { clientSecretQuery } from './billing.api.ts'

const ElementPayment = lazy(async () => ({ default: (await import('./element-payment.tsx')).ElementPayment }))

interface PlanPaymentElementProps {
  planId: string
  publishableKey: string | null
  label: string
  onPaid: () => void
  onFailed: (error: Error) => void
}

/** The provider's form for what the plan costs now. */
export function PlanPaymentElement({ planId, publishableKey, ...rest }: PlanPaymentElementProps) {
  const secret = useQuery(clientSecretQuery(planId))
  if (publishableKey === null) {
    return <InlineError title="Payments are not set up on this server" message="Please contact us to subscribe." />
  }
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
  const waiting = (
    <Loading label="Preparing the payment">
      <Skeleton className="h-40" />
    </Loading>
  )
  if (!secret.data) return waiting
  return (
    <Suspense fallback={waiting}>
      <ElementPayment publishableKey={publishableKey} clientSecret={secret.data.clientSecret} {...rest} />
    </Suspense>
  )
}
