import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type {
  AddOn,
  AddOnOrder,
  AuthenticatePayment,
  BillingOverview,
  CardChange,
  ChangePreview,
  ClientSecret,
  CompleteSubscription,
  ConfirmPayment,
  MySubscription,
  PaymentConfig,
  PaymentOutcome,
  PlanChange,
  ProrationPreview,
  SubscriptionPlan,
} from '#shared/schemas/billing.ts'
import { call } from '#client/lib/api.ts'
import { liveQuery } from '#client/lib/live.ts'

/** The plans on offer, cheapest first. */
export function plansQuery() {
  return queryOptions({
    queryKey: ['/api/subscription-plans'],
    queryFn: () => call<SubscriptionPlan[]>('/api/subscription-plans'),
  })
}

export function mySubscriptionQuery() {
  return queryOptions({
    ...liveQuery,
    queryKey: ['/api/my-subscription'],
    queryFn: () => call<MySubscription>('/api/my-subscription'),
  })
}

/** Invoices and the card on file. */
export function billingQuery() {
  return queryOptions({ queryKey: ['/api/billing'], queryFn: () => call<BillingOverview>('/api/billing') })
}

export function paymentConfigQuery() {
  return queryOptions({ queryKey: ['/api/payment-config'], queryFn: () => call<PaymentConfig>('/api/payment-config') })
}

/** What a change of plan would cost now; asked anew each time because every second changes it. */
export function changePreviewQuery(planId: string) {
  return queryOptions({
    queryKey: ['/api/change-subscription/preview', planId],
    queryFn: () => call<ChangePreview>('/api/change-subscription/preview', { method: 'POST', body: { planId } }),
    staleTime: 0,
    gcTime: 0,
  })
}

/** What can be taken beside any plan. */
export function addOnsQuery() {
  return queryOptions({ queryKey: ['/api/add-ons'], queryFn: () => call<AddOn[]>('/api/add-ons') })
}

const addOnPath = (id: string) => `/api/my-subscription/add-ons/${id}`

/** What an add-on would cost now; every second changes it, as with a plan. */
export function addOnPreviewQuery(id: string) {
  return queryOptions({
    queryKey: [`${addOnPath(id)}/preview`],
    queryFn: () => call<ProrationPreview>(`${addOnPath(id)}/preview`, { method: 'POST', body: {} }),
    staleTime: 0,
    gcTime: 0,
  })
}

/** What the payment form confirms for this plan; the server answers the same one until it is paid. */
export function clientSecretQuery(planId: string) {
  return queryOptions({
    queryKey: ['/api/get-or-create-subscription', planId],
    queryFn: () => call<ClientSecret>('/api/get-or-create-subscription', { method: 'POST', body: { planId } }),
    staleTime: 0,
    gcTime: 0,
  })
}

/** What the form of a new card confirms: another one each time it is opened. */
export function cardSetupQuery() {
  return queryOptions({
    queryKey: ['/api/payment-method/setup'],
    queryFn: () => call<ClientSecret>('/api/payment-method/setup', { method: 'POST', body: {} }),
    staleTime: 0,
    gcTime: 0,
  })
}

/** Title of what is said of a card that is not taken. */
export const cardRefused = 'Card Not Changed'

/** The confirmed card becomes the one that is charged. */
export function useReplaceCard() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (clientSecret: string) => post<CardChange>('/api/payment-method', { clientSecret }),
    meta: { refused: cardRefused },
    onSuccess: () => {
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
    onSuccess: async (subscription) => {
      queryClient.setQueryData(mySubscriptionQuery().queryKey, subscription)
      await queryClient.invalidateQueries({ queryKey: billingQuery().queryKey })
    },
  })
}

const paymentRefused = 'Payment Failed'
const post = <Answer>(path: string, body: unknown = {}) => call<Answer>(path, { method: 'POST', body })

export const useCancelSubscription = () =>
  useSubscriptionChange(
    () => post<MySubscription>('/api/cancel-subscription'),
    'Error',
    'Failed to cancel subscription',
  )
export const useResumeSubscription = () =>
  useSubscriptionChange(() => post<MySubscription>('/api/resume-subscription'), 'Error')
export const useChangePlan = () =>
  useSubscriptionChange(
    (change: PlanChange) => post<MySubscription>('/api/change-subscription', change),
    paymentRefused,
  )
export const useAddAddOn = () =>
  useSubscriptionChange(
    ({ id, ...body }: AddOnOrder & { id: string }) => call<MySubscription>(addOnPath(id), { method: 'PUT', body }),
    paymentRefused,
  )
export const useRemoveAddOn = () =>
  useSubscriptionChange((id: string) => call<MySubscription>(addOnPath(id), { method: 'DELETE' }), 'Error')
/** Asks the provider, through our server, how the payment with this client secret stands. */
export const useConfirmSubscription = () =>
  useSubscriptionChange((clientSecret: string | undefined) =>
    post<MySubscription>('/api/confirm-subscription', { clientSecret }),
  )

export function useGetOrCreateSubscription() {
  return useMutation({
    mutationFn: (planId: string) => post<ClientSecret>('/api/get-or-create-subscription', { planId }),
  })
}

/** Three ways to the same outcome: subscribe and pay, pay what is open, answer the bank. */
export function usePayment() {
  const queryClient = useQueryClient()
  const complete = useMutation({
    mutationFn: (body: CompleteSubscription) => post<PaymentOutcome>('/api/auth/complete-subscription', body),
  })
  const confirm = useMutation({
    mutationFn: (body: ConfirmPayment) => post<PaymentOutcome>('/api/demo-payments/confirm', body),
  })
  const authenticate = useMutation({
    mutationFn: (body: AuthenticatePayment) => post<PaymentOutcome>('/api/demo-payments/authenticate', body),
  })
  /** After the form has said what it has to say: the new plan may take the form off the screen. */
  const refresh = () => {
    void queryClient.invalidateQueries({ queryKey: mySubscriptionQuery().queryKey })
    void queryClient.invalidateQueries({ queryKey: billingQuery().queryKey })
  }
  return { complete, confirm, authenticate, refresh }
}
