import ChartNoAxesColumn from 'lucide-react/icons/chart-no-axes-column'
import FileText from 'lucide-react/icons/file-text'
import Sparkles from 'lucide-react/icons/sparkles'
import Users from 'lucide-react/icons/users'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { Card } from '#client/ui/card.tsx'
import { useQuery } from '@tanstack/react-query'
import { toastFailure } from '#client/ui/toast-store.ts'
import { mySubscriptionQuery } from '#client/lib/session/my-subscription.ts'
import { paymentConfigQuery, plansQuery, useGetOrCreateSubscription } from '../billing.api.ts'
import { CurrentSubscription } from '../plan/current-subscription.tsx'
import { PastDueNotice } from '../plan/past-due-notice.tsx'
import { PlanCards, PlanCardsSkeleton } from '../plan-cards.tsx'
import { PlanLoadError } from '../plan-load-error.tsx'
import { clearSelectedPlan } from './selected-plan.ts'
import { type ChosenPlan, SubscribePayment } from './subscribe-payment.tsx'
import { useReturnWithPayment } from './use-return-with-payment.ts'

const reasons: { icon: ReactNode; title: string; text: string }[] = [
  { icon: <Users size={20} />, title: 'Your whole network', text: 'Connect with every dealer you trade with.' },
  {
    icon: <Sparkles size={20} />,
    title: 'AI market position',
    text: 'See how a price compares with similar vehicles.',
  },
  { icon: <FileText size={20} />, title: 'Bill of Sale', text: 'Deal documents are filled in for you.' },
  {
    icon: <ChartNoAxesColumn size={20} />,
    title: 'Sales analytics',
    text: 'Sales and near deals, month by month.',
  },
]

function WhyPremium() {
  return (
    <section aria-labelledby="why-premium">
      <h2 id="why-premium" className="mb-3 text-md font-semibold max-md:px-4">
        Why Choose Premium
      </h2>
      <ul className="grid grid-cols-4 gap-3 max-lg:grid-cols-2 max-sm:grid-cols-1">
        {reasons.map(({ icon, title, text }) => (
          <li key={title} className="flex">
            <Card className="flex-1 p-4">
              <span aria-hidden="true" className="text-accent-ink">
                {icon}
              </span>
              <h3 className="mt-2 text-base font-semibold">{title}</h3>
              <p className="text-ink-2">{text}</p>
            </Card>
          </li>
        ))}
      </ul>
    </section>
  )
}

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
        <PastDueNotice busy={choice.preparing !== undefined} onPay={() => choice.choose(subscription.plan)} />
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

function Reveal({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    box.current?.scrollIntoView({ block: 'nearest' })
    box.current?.querySelector('input')?.focus({ preventScroll: true })
  }, [])
  return <div ref={box}>{children}</div>
}

function useChoice() {
  const me = useCurrentDealer()
  const create = useGetOrCreateSubscription()
  const [chosen, setChosen] = useState<{ plan: ChosenPlan; clientSecret: string }>()
  const choose = (plan: ChosenPlan) =>
    create.mutate(plan.id, {
      onSuccess: ({ clientSecret }) => setChosen({ plan, clientSecret }),
      onError: (error) => toastFailure('Error', error, 'Failed to create subscription'),
    })
  return {
    chosen,
    choose,
    preparing: create.isPending ? create.variables : undefined,
    clear: () => {
      clearSelectedPlan(me.id)
      setChosen(undefined)
    },
  }
}
