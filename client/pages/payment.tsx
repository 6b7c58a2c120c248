import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { useState } from 'react'
import { Redirect, useLocation, useSearchParams } from 'wouter'
import { authStatusQuery } from '#client/features/auth/auth.api.ts'
import { Checkout } from '#client/features/billing/checkout.tsx'
import { mySubscriptionQuery, plansQuery } from '#client/features/billing/billing.api.ts'
import { PlanCardsSkeleton } from '#client/features/billing/plan-cards.tsx'
import { PlanLoadError } from '#client/features/billing/plan-load-error.tsx'
import { clearSelectedPlan, readSelectedPlan } from '#client/features/billing/selected-plan.ts'
import { OnboardingFrame } from '#client/features/onboarding/onboarding-frame.tsx'
import { useCurrentDealer } from '#client/lib/current-dealer.ts'
import { ButtonLink } from '#client/ui/button.tsx'
import { useDocumentTitle } from '#client/ui/document-title.ts'

/** Checkout of a plan that was chosen elsewhere: stored, or named in the address. Without one, back to onboarding. */
export function PaymentPage() {
  useDocumentTitle('Payment')
  const [params] = useSearchParams()
  const plans = useQuery(plansQuery())
  const mine = useQuery(mySubscriptionQuery())
  const { data: status } = useQuery(authStatusQuery())
  const queryClient = useQueryClient()
  const [, navigate] = useLocation()
  const me = useCurrentDealer()
  const wanted = params.get('plan') ?? readSelectedPlan()
  // As it was on arrival: the payment that is made here is no reason to leave before it has been said.
  const [hadPlan, setHadPlan] = useState<boolean>()
  if (mine.data && !mine.isFetching && hadPlan === undefined) {
    setHadPlan(mine.data.subscription?.status === 'active' && !mine.data.subscription.complimentary)
  }
  const plan = plans.data?.find(({ id }) => id === wanted)
  if (wanted === null || (plans.data && !plan)) return <Redirect to="/onboarding" replace />
  if (hadPlan) return <Redirect to="/plan-management" replace />
  const paid = () => {
    clearSelectedPlan()
    void queryClient.invalidateQueries({ queryKey: authStatusQuery().queryKey })
    navigate('/')
  }
  return (
    <OnboardingFrame
      step={2}
      title="Complete your payment"
      hint="Billed monthly. Cancel any time from your plan page."
      action={
        <ButtonLink href={mine.data?.subscription ? '/plan-management' : '/subscribe'} icon={<ArrowLeft size={16} />}>
          Other plans
        </ButtonLink>
      }
    >
      <PlanLoadError loads={[plans, mine]} />
      {plan && hadPlan === false ? (
        <Checkout plan={plan} dealershipName={me.dealershipName} demo={status?.demo ?? false} onPaid={paid} />
      ) : null}
      {plans.isPending || (hadPlan === undefined && mine.isFetching) ? <PlanCardsSkeleton /> : null}
    </OnboardingFrame>
  )
}
