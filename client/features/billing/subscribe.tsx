import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { SubscriptionPlan } from '#shared/schemas/billing.ts'
import { toastFailure } from '#client/ui/toast-store.ts'
import { mySubscriptionQuery, paymentConfigQuery, plansQuery, useGetOrCreateSubscription } from './billing.api.ts'
import { CurrentSubscription } from './current-subscription.tsx'
import { PastDueNotice } from './past-due-notice.tsx'
import { PlanCards, PlanCardsSkeleton } from './plan-cards.tsx'
import { PlanLoadError } from './plan-load-error.tsx'
import { clearSelectedPlan } from './selected-plan.ts'
import { SubscribePayment } from './subscribe-payment.tsx'
import { useReturnWithPayment } from './use-return-with-payment.ts'
import { WhyPremium } from './why-premium.tsx'

/** Plans, what one has, and the payment of the chosen one (spec B §2 "Subscribe"). */
export function Subscribe({ demo }: { demo: boolean }) {
  const plans = useQuery(plansQuery())
  const mine = useQuery(mySubscriptionQuery())
  const config = useQuery(paymentConfigQuery())
  const choice = useChoice()
  useReturnWithPayment(choice.choose)
  const subscription = mine.data?.subscription
  const owes = subscription?.status === 'past_due' || subscription?.status === 'unpaid'
  return (
    <>
      <PlanLoadError loads={[plans, mine, config]} />
      {subscription ? <CurrentSubscription subscription={subscription} title="Current Subscription" /> : null}
      {owes ? (
        <PastDueNotice
          busy={choice.preparing !== undefined}
          onPay={() => choice.payOpen(plans.data, subscription.plan.id)}
        />
      ) : null}
      {plans.isPending ? <PlanCardsSkeleton /> : null}
      {plans.data ? (
        <PlanCards
          plans={plans.data}
          mine={mine.data}
          preparing={choice.preparing}
          selected={choice.chosen?.plan.id}
          onChoose={choice.choose}
        />
      ) : null}
      {choice.chosen && config.data ? (
        <Reveal key={choice.chosen.clientSecret}>
          <SubscribePayment
            plan={choice.chosen.plan}
            clientSecret={choice.chosen.clientSecret}
            config={config.data}
            demo={demo}
            onPaid={choice.clear}
            onCancel={choice.clear}
          />
        </Reveal>
      ) : null}
      <WhyPremium />
    </>
  )
}

/** Comes into view with the focus in its first field. */
function Reveal({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    box.current?.scrollIntoView({ block: 'nearest' })
    box.current?.querySelector('input')?.focus({ preventScroll: true })
  }, [])
  return <div ref={box}>{children}</div>
}

/** The chosen plan with the client secret that its payment confirms. */
function useChoice() {
  const create = useGetOrCreateSubscription()
  const [chosen, setChosen] = useState<{ plan: SubscriptionPlan; clientSecret: string }>()
  const choose = (plan: SubscriptionPlan) =>
    create.mutate(plan.id, {
      onSuccess: ({ clientSecret }) => setChosen({ plan, clientSecret }),
      onError: (error) => toastFailure('Error', error, 'Failed to create subscription'),
    })
  return {
    chosen,
    choose,
    preparing: create.isPending ? create.variables : undefined,
    clear: () => {
      clearSelectedPlan()
      setChosen(undefined)
    },
    payOpen: (plans: SubscriptionPlan[] | undefined, planId: string) => {
      const plan = plans?.find(({ id }) => id === planId)
      if (plan) choose(plan)
    },
  }
}
