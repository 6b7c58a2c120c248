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
import { call } from '#client/lib/api.ts'
import { dealerIn } from '#client/lib/current-dealer.ts'
import { askedAnew, liveQuery } from '#client/lib/live.ts'
import { mySubscriptionQuery } from '#client/lib/my-subscription.ts'

/** The plans on offer, cheapest first. Asked anew: their prices are an admin's to change. */
export function plansQuery() {
  return queryOptions({
    queryKey: ['/api/subscription-plans'],
    queryFn: () => call('/api/subscription-plans'),
    ...askedAnew,
  })
}

/** Invoices and the card on file: the provider's word changes them, which comes as an event. */
export function billingQuery() {
  return queryOptions({ queryKey: ['/api/billing'], queryFn: () => call('/api/billing'), ...liveQuery })
}

export function paymentConfigQuery() {
  return queryOptions({ queryKey: ['/api/payment-config'], queryFn: () => call('/api/payment-config') })
}

/** What a change of plan would cost now; asked anew each time because every second changes it. */
export function changePreviewQuery(planId: string) {
  return queryOptions({
    queryKey: ['/api/change-subscription/preview', planId],
    queryFn: () => call('/api/change-subscription/preview', { method: 'POST', body: { planId } }),
    staleTime: 0,
    gcTime: 0,
  })
}

/** What can be taken beside any plan. */
export function addOnsQuery() {
  return queryOptions({ queryKey: ['/api/add-ons'], queryFn: () => call('/api/add-ons'), ...askedAnew })
}

const addOnPath = (id: string) => `/api/my-subscription/add-ons/${id}` as const

/** What an add-on would cost now; every second changes it, as with a plan. */
export function addOnPreviewQuery(id: string) {
  return queryOptions({
    queryKey: [`${addOnPath(id)}/preview`],
    queryFn: () => call(`${addOnPath(id)}/preview`, { method: 'POST', body: {} }),
    staleTime: 0,
    gcTime: 0,
  })
}

/** What the payment form confirms for this plan; the server answers the same one until it is paid. */
export function clientSecretQuery(planId: string) {
  return queryOptions({
    queryKey: ['/api/get-or-create-subscription', planId],
    queryFn: () => call('/api/get-or-create-subscription', { method: 'POST', body: { planId } }),
    staleTime: 0,
    gcTime: 0,
  })
}

/** What the form of a new card confirms: another one each time it is opened. */
export function cardSetupQuery() {
  return queryOptions({
    queryKey: ['/api/payment-method/setup'],
    queryFn: () => call('/api/payment-method/setup', { method: 'POST', body: {} }),
    staleTime: 0,
    gcTime: 0,
  })
}

/** Title of what is said of a card that is not taken. */
export const cardRefused = 'Card Not Changed'

/** The confirmed card becomes the one that is charged. @param onReplaced says what came of it, also when its form was left */
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

/** A change whose answer is the new subscription; invoices follow from it. */
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
    onSuccess: async (subscription, _input, asker) => {
      if (dealerIn(queryClient) !== asker) return
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
/** Asks the provider, through our server, how the payment with this client secret stands. */
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

/** Three ways to the same outcome: subscribe and pay, pay what is open, answer the bank. It is heard also when its form was left. */
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
  /** After the form has said what it has to say: the new plan may take the form off the screen. */
  const refresh = () => {
    void queryClient.invalidateQueries({ queryKey: mySubscriptionQuery().queryKey })
    void queryClient.invalidateQueries({ queryKey: billingQuery().queryKey })
  }
  return { complete, confirm, authenticate, refresh }
}
