import { becomes, show } from '#tests/support/screen.tsx'
import { useQuery } from '@tanstack/react-query'
import { fireEvent, screen } from '@testing-library/react'
import t from 'tap'
import Type from 'typebox'
import { Subscribe } from '#client/features/billing/checkout/subscribe.tsx'
import { SubscribePayment } from '#client/features/billing/checkout/subscribe-payment.tsx'
import { ChangeCardDialog } from '#client/features/billing/plan/payment-method.tsx'
import { mySubscriptionQuery } from '#client/lib/session/my-subscription.ts'
import {
  CardChange,
  ClientSecret,
  MySubscription,
  PaymentConfig,
  PaymentOutcome,
  SubscriptionPlan,
} from '#shared/schemas/billing.ts'
import { aSubscription } from '#tests/support/admin-dealer-file.tsx'
import { LeftPage, leavePage } from '#tests/support/left-page.tsx'
import { answer, fakeNetwork, http, HttpResponse } from '#tests/support/network.ts'
import { aCurrentUser } from '#tests/support/records.ts'

// Payment results must be shown even after the dealer has left the form.

const premium = { id: 'premium', name: 'Premium Plan', price: 149, features: [], connectionLimit: null }
const atTheProvider: PaymentConfig = { form: 'element', publishableKey: 'pk_1' }
const ours: PaymentConfig = { form: 'card-form', publishableKey: null }
const ignore = () => {}

/** A fake of the components that show the plan on every page. */
function Plan() {
  useQuery(mySubscriptionQuery())
  return null
}

const declined = () =>
  HttpResponse.json(
    { error: { code: 'payment_required', message: 'Your card was declined.', requestId: 'test' } },
    { status: 402 },
  )
const asPaid = (status: PaymentOutcome['status']) => () =>
  answer(PaymentOutcome, { status, clientSecret: 'pi_1_secret_1' })
const changed = () =>
  answer(CardChange, {
    paymentMethod: { brand: 'visa', last4: '4242', expMonth: 8, expYear: 2031 },
    openInvoice: 'none',
    refusal: null,
  })

const leftPayments = [
  ['paid', asPaid('succeeded'), { form: 'Payment Successful', dialog: 'Card Changed' }],
  ['refused', declined, { form: 'Your card was declined.', dialog: 'Your card was declined.' }],
  [
    'asked about',
    asPaid('requires_action'),
    { form: 'Your bank needs confirmation', dialog: 'Your bank needs confirmation' },
  ],
] as const

for (const [what, outcome, said] of leftPayments)
  for (const place of ['form', 'dialog'] as const)
    t.test(`reports a card as ${what} even after its ${place} was left`, async (t) => {
      const network = fakeNetwork(t)
      let end = () => {}
      const ended = new Promise<void>((resolve) => (end = resolve))
      const [asked, reads]: [string[], string[]] = [[], []]
      network.use(
        http.get('*/api/my-subscription', () => {
          reads.push('plan')
          return answer(MySubscription, { hasSubscription: false, entitlements: [], subscription: null })
        }),
        http.post('*/api/payment-method/setup', () => answer(ClientSecret, { clientSecret: 'seti_1_secret_1' })),
        http.post('*/api/payment-method', changed),
        http.post('*/api/demo-payments/confirm', async () => {
          asked.push('card')
          await ended
          return outcome()
        }),
      )
      const form =
        place === 'dialog' ? (
          <ChangeCardDialog config={ours} demo onClose={ignore} />
        ) : (
          <SubscribePayment plan={premium} clientSecret="pi_1" config={ours} demo onPaid={ignore} onCancel={ignore} />
        )
      const { findByText } = show(
        t,
        <>
          <Plan />
          <LeftPage>{form}</LeftPage>
        </>,
      )
      fireEvent.click(await screen.findByRole('button', { name: 'Fill Dummy Payment' }))
      fireEvent.click(screen.getByRole('button', { name: place === 'dialog' ? 'Save card' : 'Subscribe Now' }))
      await becomes(t, () => asked.length, 1)
      const before = reads.length
      leavePage()
      end()
      t.ok(await findByText(said[place]))
      if (what === 'paid') await becomes(t, () => reads.length > before, true)
    })

t.test('reports a return from the bank even after its page was left', async (t) => {
  const network = fakeNetwork(t)
  let end = () => {}
  const ended = new Promise<void>((resolve) => (end = resolve))
  const asked: string[] = []
  network.use(
    http.get('*/api/subscription-plans', () => answer(Type.Array(SubscriptionPlan), [premium])),
    http.get('*/api/payment-config', () => answer(PaymentConfig, atTheProvider)),
    http.post('*/api/confirm-subscription', async () => {
      asked.push('payment')
      await ended
      return answer(MySubscription, {
        hasSubscription: true,
        entitlements: [],
        subscription: aSubscription({ status: 'active' }),
      })
    }),
  )
  const page = (
    <LeftPage>
      <Subscribe demo={false} />
    </LeftPage>
  )
  const { findByText } = show(t, page, aCurrentUser(), '/subscribe?success=true&payment_intent_client_secret=pi_1')
  await becomes(t, () => asked.length, 1)
  leavePage()
  end()
  t.ok(await findByText('Payment Successful'))
})
