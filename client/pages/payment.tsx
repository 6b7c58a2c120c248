import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import { useState } from 'react'
import { Redirect, useLocation, useSearchParams } from 'wouter'
import { authStatusQuery } from '#client/features/auth/auth.api.ts'
import { Checkout } from '#client/features/billing/checkout/checkout.tsx'
import { mySubscriptionQuery } from '#client/lib/session/my-subscription.ts'
import { plansQuery } from '#client/features/billing/billing.api.ts'
import { PlanCardsSkeleton } from '#client/features/billing/plan-cards.tsx'
import { PlanLoadError } from '#client/features/billing/plan-load-error.tsx'
import { clearSelectedPlan, readSelectedPlan } from '#client/features/billing/checkout/selected-plan.ts'
import { OnboardingFrame } from '#client/features/onboarding/onboarding-frame.tsx'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { useIsMounted } from '#client/lib/screen/use-is-mounted.ts'
import { ButtonLink } from '#client/ui/button-link.tsx'
import { useDocumentTitle } from '#client/ui/document-title.ts'
import type { MySubscription, SubscriptionPlan } from '#shared/schemas/billing.ts'

/** The checkout for a plan chosen on another page. The plan comes from browser storage or the URL. */
export function PaymentPage() {
  useDocumentTitle('Payment')
  const [params] = useSearchParams()
  const plans = useQuery(plansQuery())
  const mine = useQuery(mySubscriptionQuery())
  const queryClient = useQueryClient()
  const [, navigate] = useLocation()
  const isShown = useIsMounted()
  const me = useCurrentDealer()
  const wanted = params.get('plan') ?? readSelectedPlan(me.id)
  const hadPlan = useHadPlan(mine)
  const plan = plans.data?.find(({ id }) => id === wanted)
  const isLoading = plans.isPending || (hadPlan === undefined && mine.isFetching)
  const isUnknown = wanted === null || (plans.data !== undefined && plan === undefined)
  if (isUnknown) return <Redirect to="/onboarding" replace />
  if (hadPlan) return <Redirect to="/plan-management" replace />
  const paid = () => {
    clearSelectedPlan(me.id)
    void queryClient.invalidateQueries({ queryKey: authStatusQuery().queryKey })
    if (isShown()) navigate('/')
  }
  return (
    <OnboardingFrame
      step={2}
      title="Complete your payment"
      hint="Billed monthly. Cancel any time from your plan page."
      action={<OtherPlans mine={mine.data} />}
    >
      <PlanLoadError loads={[plans, mine]} />
      {plan && hadPlan === false ? <OwnCheckout plan={plan} onPaid={paid} /> : null}
      {isLoading ? <PlanCardsSkeleton /> : null}
    </OnboardingFrame>
  )
}

function OwnCheckout({ plan, onPaid }: { plan: SubscriptionPlan; onPaid: () => void }) {
  const { data: status } = useQuery(authStatusQuery())
  const { dealershipName } = useCurrentDealer()
  return <Checkout plan={plan} dealershipName={dealershipName} demo={status?.demo ?? false} onPaid={onPaid} />
}

const OtherPlans = ({ mine }: { mine: MySubscription | undefined }) => (
  <ButtonLink href={mine?.subscription ? '/plan-management' : '/subscribe'} icon={<ArrowLeft size={16} />}>
    Choose another plan
  </ButtonLink>
)

/** True if the dealer had a paid plan when the page opened. Payments made here do not change it, so that their confirmation stays. */
function useHadPlan({ data, isFetching }: UseQueryResult<MySubscription>): boolean | undefined {
  const [hadPlan, setHadPlan] = useState<boolean>()
  if (data && !isFetching && hadPlan === undefined)
    setHadPlan(data.subscription?.status === 'active' && !data.subscription.complimentary)
  return hadPlan
}
