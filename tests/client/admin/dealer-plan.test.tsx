import { becomes } from '#tests/support/screen.tsx'
import { screen, within } from '@testing-library/react'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import {
  AdminPricing,
  ChangePreview,
  DealerBilling,
  DealerPlanChange,
  MySubscription,
  NewRefund,
  PlanGift,
} from '#shared/schemas/billing.ts'
import { WithReason } from '#shared/schemas/admin.ts'
import { choose, dialogOpen, fill, press, refusalOf, says, textIn } from '#tests/support/controls.ts'
import { anInvoice, aSubscription, openFile, path, pricing } from '#tests/support/admin-dealer-file.tsx'
import { answer, away, http, refusal, sent } from '#tests/support/network.ts'

t.test(
  'refunds part of an invoice, marks invalid amounts and a missing reason, and retries with the same key',
  async (t) => {
    const { held, network } = openFile(
      t,
      {},
      { invoices: [anInvoice(), anInvoice({ id: 'in_2', number: 'LW-0', refundable: 0 })] },
    )
    const heard: NewRefund[] = []
    const keys: (string | null)[] = []
    network.use(
      http.post(`${path}/refunds`, async ({ request }) => {
        heard.push(await sent(NewRefund, request))
        keys.push(request.headers.get('idempotency-key'))
        if (heard.length === 1) return Response.error()
        if (heard.length === 2) return refusal(409, 'The card does not take it back')
        const refund = {
          id: randomUUID(),
          invoiceNumber: 'LW-1',
          amount: 20.5,
          reason: 'Half a month',
          createdAt: '2026-11-20T10:00:00.000Z',
        }
        held.billing = { ...held.billing, refunds: [{ ...refund, state: 'waiting', refusal: null }] }
        return answer(DealerBilling, held.billing)
      }),
    )
    await says('LW-1')
    t.equal(screen.queryByRole('button', { name: 'Refund invoice LW-0' }), null, 'the dialog is closed')
    await press('Refund invoice LW-1')
    t.equal(textIn('Amount'), '99.00')
    for (const wrong of ['', '0', '99.01', '1.005', 'some']) {
      fill('Amount', wrong)
      await press('Refund')
      await becomes(t, () => refusalOf('Amount'), 'Enter an amount up to $99.00')
    }
    t.equal(refusalOf('Reason'), 'Enter a reason for the audit log')
    fill('Amount', '$20.50')
    fill('Reason', ' Half a month ')
    for (const tries of [1, 2]) {
      await press('Refund')
      await becomes(t, () => heard.length, tries)
      await becomes(t, () => screen.getByRole('button', { name: 'Refund' }).getAttribute('aria-busy') === 'true', false)
    }
    await says('The card does not take it back')
    t.same([textIn('Amount'), textIn('Reason')], ['$20.50', ' Half a month '])
    await press('Refund')
    await says('Waiting for the payment provider')
    await becomes(t, dialogOpen, false)
    t.same(heard[2], { invoiceId: 'in_1', amount: 20.5, reason: 'Half a month' })
    t.same([keys[0] === keys[1], keys[1] === keys[2]], [true, false])
  },
)

t.test('grants a plan until a future date with a reason, then ends it', async (t) => {
  const { held, network } = openFile(t)
  const heard: unknown[] = []
  const given = aSubscription({
    complimentary: true,
    givenUntil: '2044-01-31T10:00:00.000Z',
    price: 0,
    plan: { id: 'premium', name: 'Premium' },
  })
  const answerWith = (subscription: DealerBilling['subscription']) => {
    held.billing = { ...held.billing, subscription }
    return answer(MySubscription, { hasSubscription: subscription !== null, entitlements: [], subscription })
  }
  network.use(
    http.put(`${path}/gift`, async ({ request }) => {
      heard.push(await sent(PlanGift, request))
      return heard.length === 1 ? away() : answerWith(given)
    }),
    http.delete(`${path}/gift`, async ({ request }) => {
      heard.push((await sent(WithReason, request)).reason)
      return heard.length === 3 ? away() : answerWith(null)
    }),
  )
  await press('Give a plan')
  await screen.findByRole('combobox', { name: 'Plan' })
  await press('Give plan')
  await becomes(t, () => ['Last day', 'Reason'].map(refusalOf), [
    'Choose today or a later date',
    'Enter a reason for the audit log',
  ])
  fill('Last day', '2020-01-31')
  await press('Give plan')
  await becomes(t, () => refusalOf('Last day'), 'Choose today or a later date')
  fill('Last day', '2044-01-31')
  fill('Reason', 'A trial')
  await choose('Plan', /^Basic/)
  await press('Give plan')
  await says('The database is away')
  t.same([textIn('Last day'), textIn('Reason')], ['2044-01-31', 'A trial'])
  await press('Give plan')
  await says('Plan given')
  await says('Complimentary')
  await becomes(t, dialogOpen, false)
  await press('End complimentary plan')
  fill('Reason', 'The trial is over')
  await press('End complimentary plan')
  await says('The database is away')
  t.equal(textIn('Reason'), 'The trial is over')
  await press('End complimentary plan')
  await says('Complimentary plan ended')
  await says('No plan')
  const gift = { planId: 'basic', until: new Date('2044-01-31T23:59:59').toISOString(), reason: 'A trial' }
  t.same(heard, [gift, gift, 'The trial is over', 'The trial is over'])
})

t.test('changes a plan at the shown price, requires a reason, and shows a new price after a refusal', async (t) => {
  const { held, network } = openFile(t, {}, { subscription: aSubscription() })
  const heard: DealerPlanChange[] = []
  const asked: unknown[] = []
  const premium = aSubscription({ price: 149, plan: { id: 'premium', name: 'Premium' } })
  network.use(
    http.post(`${path}/plan/preview`, async ({ request }) => {
      asked.push(await request.json())
      if (asked.length === 1) return away()
      const dueNow = asked.length === 2 ? 25 : 24.5
      const lines = [{ description: 'Premium until Dec 20', amount: dueNow }]
      return answer(ChangePreview, {
        planId: 'premium',
        planName: 'Premium',
        dueNow,
        credit: 0,
        newPrice: 149,
        lines,
        quote: `quote ${asked.length}`,
      })
    }),
    http.post(`${path}/plan`, async ({ request }) => {
      heard.push(await sent(DealerPlanChange, request))
      if (heard.length === 1) return refusal(409, 'The price has moved')
      held.billing = { ...held.billing, subscription: premium }
      return answer(MySubscription, { hasSubscription: true, entitlements: [], subscription: premium })
    }),
  )
  await press('Change plan')
  t.match((await screen.findByRole('alert')).textContent, /The price could not be calculated.*The database is away/)
  await press('Retry')
  await press('Charge $25.00 and change')
  await becomes(t, () => refusalOf('Reason'), 'Enter a reason for the audit log')
  fill('Reason', 'Asked by phone')
  await press('Charge $25.00 and change')
  await says('The price has moved')
  t.equal(textIn('Reason'), 'Asked by phone')
  await press('Charge $24.50 and change')
  await says('Plan changed')
  await becomes(t, dialogOpen, false)
  await becomes(t, () => within(screen.getByLabelText('Plan')).queryByText('Premium') !== null, true)
  t.same(
    heard.map(({ quote }) => quote),
    ['quote 2', 'quote 3'],
  )
  t.same(asked[0], { planId: 'premium' })
})

t.test('grants the selected plan even if the usual one is no longer sold', async (t) => {
  const { network } = openFile(t)
  const plans = pricing.plans.map((plan) => ({ ...plan, isActive: plan.id !== 'premium' }))
  const heard: string[] = []
  network.use(
    http.get('*/api/admin/pricing', () => answer(AdminPricing, { ...pricing, plans })),
    http.put(`${path}/gift`, async ({ request }) => {
      heard.push((await sent(PlanGift, request)).planId)
      return answer(MySubscription, { hasSubscription: false, entitlements: [], subscription: null })
    }),
  )
  await press('Give a plan')
  t.match((await screen.findByRole('combobox', { name: 'Plan' })).textContent, /^Basic/)
  fill('Last day', '2044-01-31')
  fill('Reason', 'A trial')
  await press('Give plan')
  await becomes(t, dialogOpen, false)
  t.same(heard, ['basic'])
})

t.test('offers to reload plans after a failure and says if there is no other plan', async (t) => {
  const { network } = openFile(t, {}, { subscription: aSubscription() })
  const plans = pricing.plans.filter(({ id }) => id === 'basic')
  let refuse = true
  network.use(http.get('*/api/admin/pricing', () => (refuse ? away() : answer(AdminPricing, { ...pricing, plans }))))
  await press('Change plan')
  t.match((await screen.findByRole('alert')).textContent, /Plans could not be loaded.*The database is away/)
  refuse = false
  await press('Retry')
  await says('No other plans are available.')
  t.same([screen.queryByText('Calculating the price'), screen.queryByRole('alert')], [null, null])
})

t.test('explains that a plan with an unpaid invoice cannot be changed', async (t) => {
  openFile(
    t,
    {},
    { subscription: aSubscription({ status: 'past_due' }), invoices: [anInvoice({ status: 'open', refundable: 0 })] },
  )
  await says('An invoice is open. You can change the plan once it is paid.')
  t.ok(screen.getByRole<HTMLButtonElement>('button', { name: 'Change plan' }).disabled)
})
