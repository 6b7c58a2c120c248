import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { useSearchParams } from 'wouter'
import type { MySubscription, SubscriptionPlan } from '#shared/schemas/billing.ts'
import { reasonOf } from '#client/lib/http/api.ts'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { authStatusKey } from '#client/lib/query/query-keys.ts'
import { useIsMounted } from '#client/lib/screen/use-is-mounted.ts'
import { toast } from '#client/ui/toast-store.ts'
import { plansQuery, useConfirmSubscription } from '../billing.api.ts'
import { toastProcessing, toastUnknownResult } from './payment-unsettled.ts'
import { clearSelectedPlan, readSelectedPlan } from './selected-plan.ts'

/**
 * Runs when a bank's page redirects back here. Removes the query string first, so that a reload does not repeat the payment check. Opens
 * the payment form again if the payment was declined or canceled.
 */
export function useReturnWithPayment(payAgain: (plan: SubscriptionPlan) => void) {
  const me = useCurrentDealer()
  const [params, setParams] = useSearchParams()
  const queryClient = useQueryClient()
  const { mutateAsync } = useConfirmSubscription()
  const isShown = useIsMounted()
  const clientSecret = params.get('payment_intent_client_secret') ?? undefined
  const returned = params.get('success') === 'true' || clientSecret !== undefined
  const failed = async (reason: string) => {
    toast({ title: 'Payment Failed', description: reason, variant: 'destructive' })
    if (!isShown()) return
    const plans = await queryClient.ensureQueryData(plansQuery())
    const plan = plans.find(({ id }) => id === readSelectedPlan(me.id))
    if (plan) payAgain(plan)
  }
  const confirm = useEffectEvent((secret: string | undefined) =>
    mutateAsync(secret).then(
      (mine) => {
        if (!toastPaid(mine, secret)) return failed('The payment was not completed')
        clearSelectedPlan(me.id)
        return queryClient.invalidateQueries({ queryKey: authStatusKey })
      },
      (error: Error) => (toastUnknownResult(error) ? undefined : failed(reasonOf(error))),
    ),
  )
  useEffect(() => {
    if (!returned) return
    setParams(new URLSearchParams(), { replace: true })
    void confirm(clientSecret)
  }, [returned, clientSecret, setParams])
}

/** Shows a toast if the payment succeeded or is still processing. Returns false if it showed none. */
function toastPaid({ subscription }: MySubscription, secret: string | undefined): boolean {
  if (subscription?.status === 'active' && !subscription.complimentary)
    toast({ title: 'Payment Successful', description: `Welcome to the ${subscription.plan.name}!` })
  else if (secret !== undefined) toastProcessing()
  else return false
  return true
}
