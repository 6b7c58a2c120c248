import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type {
  AddOnOrder,
  AuthenticatePayment,
  CardChange,
  CompleteSubscription,
  ConfirmPayment,
  MySubscription,
  PaymentOutcome,
  PlanChange,
} from '#shared/schemas/billing.ts'
import { call } from '#client/lib/http/api.ts'
import { dealerIn } from '#client/lib/session/current-dealer.ts'
import { alwaysRefetched, liveQuery } from '#client/lib/live/live-queries.ts'
import { mySubscriptionQuery } from '#client/lib/session/my-subscription.ts'

/** Always refetched, because no live event announces an admin's price change. */
export function plansQuery() {
  return queryOptions({
    queryKey: ['/api/subscription-plans'],
    queryFn: () => call('/api/subscription-plans'),
    ...alwaysRefetched,
  })
}

export function billingQuery() {
  return queryOptions({ queryKey: ['/api/billing'], queryFn: () => call('/api/billing'), ...liveQuery })
}

export function paymentConfigQuery() {
  return queryOptions({ queryKey: ['/api/payment-config'], queryFn: () => call('/api/payment-config') })
}

/** Never cached, because the cost of changing the plan changes every second. */
export function changePreviewQuery(planId: string) {
  return queryOptions({
    queryKey: ['/api/change-subscription/preview', planId],
    queryFn: () => call('/api/change-subscription/preview', { method: 'POST', body: { planId } }),
    staleTime: 0,
    gcTime: 0,
  })
}

export function addOnsQuery() {
  return queryOptions({ queryKey: ['/api/add-ons'], queryFn: () => call('/api/add-ons'), ...alwaysRefetched })
}

const addOnPath = (id: string) => `/api/my-subscription/add-ons/${id}` as const

/** Never cached, because the cost of an add-on changes every second. */
export function addOnPreviewQuery(id: string) {
  return queryOptions({
    queryKey: [`${addOnPath(id)}/preview`],
    queryFn: () => call(`${addOnPath(id)}/preview`, { method: 'POST', body: {} }),
    staleTime: 0,
    gcTime: 0,
  })
}

/** The client secret that the payment form confirms. The server returns the same secret until the plan is paid. */
export function clientSecretQuery(planId: string) {
  return queryOptions({
    queryKey: ['/api/get-or-create-subscription', planId],
    queryFn: () => call('/api/get-or-create-subscription', { method: 'POST', body: { planId } }),
    staleTime: 0,
    gcTime: 0,
  })
}

/** The client secret that saves a new card. The server returns a different secret each time. */
export function cardSetupQuery() {
  return queryOptions({
    queryKey: ['/api/payment-method/setup'],
    queryFn: () => call('/api/payment-method/setup', { method: 'POST', body: {} }),
    staleTime: 0,
    gcTime: 0,
  })
}

export const cardRefused = 'Card Not Changed'

/** Sets a confirmed card as the card for all later charges. `onReplaced` receives the result, even if the form has closed. */
export function useReplaceCard(onReplaced: (change: CardChange) => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (clientSecret: string) => call('/api/payment-method', { method: 'POST', body: { clientSecret } }),
    meta: { refused: cardRefused },
    onSuccess: (change) => {
      onReplaced(change)
      void queryClient.invalidateQueries({ queryKey: billingQuery().queryKey })
      void queryClient.invalidateQueries({ queryKey: mySubscriptionQuery().queryKey })
    },
  })
}

/** Returns a mutation that caches the new subscription and refetches the invoices. */
function useSubscriptionChange<Input>(
  mutationFn: (input: Input) => Promise<MySubscription>,
  refused?: string,
  otherwise?: string,
) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn,
    meta: { refused, otherwise },
    onMutate: () => dealerIn(queryClient),
    onSuccess: async (subscription, _input, dealerAtStart) => {
      if (dealerIn(queryClient) !== dealerAtStart) return
      queryClient.setQueryData(mySubscriptionQuery().queryKey, subscription)
      await queryClient.invalidateQueries({ queryKey: billingQuery().queryKey })
    },
  })
}

const paymentRefused = 'Payment Failed'

export const useCancelSubscription = () =>
  useSubscriptionChange(
    () => call('/api/cancel-subscription', { method: 'POST', body: {} }),
    'Error',
    'Failed to cancel subscription',
  )
export const useResumeSubscription = () =>
  useSubscriptionChange(() => call('/api/resume-subscription', { method: 'POST', body: {} }), 'Error')
export const useChangePlan = () =>
  useSubscriptionChange(
    (change: PlanChange) => call('/api/change-subscription', { method: 'POST', body: change }),
    paymentRefused,
  )
export const useAddAddOn = () =>
  useSubscriptionChange(
    ({ id, ...body }: AddOnOrder & { id: string }) => call(addOnPath(id), { method: 'PUT', body }),
    paymentRefused,
  )
export const useRemoveAddOn = () =>
  useSubscriptionChange((id: string) => call(addOnPath(id), { method: 'DELETE' }), 'Error')
/** Asks our server to check with the payment provider whether the payment succeeded. */
export const useConfirmSubscription = () =>
  useSubscriptionChange((clientSecret: string | undefined) =>
    call('/api/confirm-subscription', { method: 'POST', body: clientSecret === undefined ? {} : { clientSecret } }),
  )

export function useGetOrCreateSubscription() {
  return useMutation({
    mutationFn: (planId: string) => call('/api/get-or-create-subscription', { method: 'POST', body: { planId } }),
  })
}

interface PaymentHandlers {
  onSuccess: (outcome: PaymentOutcome) => void
  onError: (error: Error) => void
}

/**
 * Requests of our own card form, which only the simulated provider uses: pays for a new subscription, confirms a payment or a new card, or
 * reports the result of the bank's challenge. The handlers run even if the form has closed.
 */
export function usePayment(handlers: PaymentHandlers) {
  const queryClient = useQueryClient()
  const complete = useMutation({
    mutationFn: (body: CompleteSubscription) => call('/api/auth/complete-subscription', { method: 'POST', body }),
    ...handlers,
  })
  const confirm = useMutation({
    mutationFn: (body: ConfirmPayment) => call('/api/demo-payments/confirm', { method: 'POST', body }),
    ...handlers,
  })
  const authenticate = useMutation({
    mutationFn: (body: AuthenticatePayment) => call('/api/demo-payments/authenticate', { method: 'POST', body }),
    ...handlers,
  })
  /** Refetches the plan and the invoices. Call this after reporting the result, because the new plan may unmount the form. */
  const refresh = () => {
    void queryClient.invalidateQueries({ queryKey: mySubscriptionQuery().queryKey })
    void queryClient.invalidateQueries({ queryKey: billingQuery().queryKey })
  }
  return { complete, confirm, authenticate, refresh }
}
