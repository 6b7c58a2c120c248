import { becomes, show } from '#tests/support/screen.tsx'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { fireEvent, screen } from '@testing-library/react'
import { randomUUID } from 'node:crypto'
import { useState } from 'react'
import t, { type Test } from 'tap'
import Type from 'typebox'
import { CurrentSubscription } from '#client/features/billing/plan/current-subscription.tsx'
import { Checkout } from '#client/features/billing/checkout/checkout.tsx'
import { SubscribePayment } from '#client/features/billing/checkout/subscribe-payment.tsx'
import { ChangePlanDialog } from '#client/features/billing/plan/plan-management.tsx'
import { ConnectionRequests } from '#client/features/deals/connection-requests.tsx'
import { CommentForm } from '#client/features/comments/comment-form.tsx'
import { PostReactions } from '#client/features/posts/card/post-reactions.tsx'
import { Subscribe } from '#client/features/billing/checkout/subscribe.tsx'
import { ReviewForm } from '#client/features/reviews/review-form.tsx'
import { WatchButton } from '#client/features/saved/watch-button.tsx'
import { request } from '#client/lib/http/api.ts'
import { refetchLive } from '#client/lib/live/live-queries.ts'
import { dismissToast } from '#client/ui/toast-store.ts'
import { dealsKey } from '#client/lib/query/query-keys.ts'
import {
  ChangePreview,
  ClientSecret,
  MySubscription,
  PaymentConfig,
  SubscriptionPlan,
} from '#shared/schemas/billing.ts'
import { ConnectionRequest } from '#shared/schemas/dealers.ts'
import { OwnReactions } from '#shared/schemas/posts.ts'
import { Review } from '#shared/schemas/reviews.ts'
import { answer, fakeNetwork, http, HttpResponse, refusal } from '#tests/support/network.ts'
import { aSubscription } from '#tests/support/admin-dealer-file.tsx'
import { aCurrentUser } from '#tests/support/records.ts'

// The result of an action must be shown even if the clicked element no longer exists.

t.test('removes a request at once, confirms its acceptance, and restores a refused one', async (t) => {
  const me = aCurrentUser()
  const [elena, luis, ray] = ['Elena Park', 'Luis Herrera', 'Ray Okafor'].map((name, place) => ({
    id: randomUUID(),
    createdAt: `2026-11-20T1${9 - place}:00:00.000Z`,
    requester: { id: randomUUID(), name, avatar: null, dealershipName: `${name} Motors` },
  })) as [ConnectionRequest, ConnectionRequest, ConnectionRequest]
  fakeNetwork(t).use(
    http.get(`*/api/connections/requests/${me.id}`, () => answer(Type.Array(ConnectionRequest), [elena, luis, ray])),
    http.post(`*/api/connections/requests/${elena.id}/accept`, async () => {
      await becomes(t, names, ['Luis Herrera', 'Ray Okafor'])
      return HttpResponse.json({})
    }),
    http.post(`*/api/connections/requests/${luis.id}/decline`, async () => {
      await becomes(t, names, ['Ray Okafor'])
      return refusal(503, 'The database is away')
    }),
  )
  const { findByRole, findByText, queryAllByText } = show(t, <ConnectionRequests />, me)
  const names = () => queryAllByText(/^(Elena Park|Luis Herrera|Ray Okafor)$/).map(({ textContent }) => textContent)
  fireEvent.click(await findByRole('button', { name: 'Accept Elena Park' }))
  t.ok(await findByText('Added Elena Park to your network'))
  fireEvent.click(await findByRole('button', { name: 'Decline Luis Herrera' }))
  t.ok(await findByText('The database is away'))
  await becomes(t, names, ['Luis Herrera', 'Ray Okafor'])
})

t.test('shows the new price of an outdated plan change and charges that', async (t) => {
  const plan = { id: 'premium', name: 'Premium Plan', price: 149, features: [], connectionLimit: null }
  const prices = [33.34, 33.21]
  const sent: unknown[] = []
  let asked = 0
  fakeNetwork(t).use(
    http.get('*/api/my-subscription', () =>
      answer(MySubscription, { hasSubscription: false, subscription: null, entitlements: [] }),
    ),
    http.post('*/api/change-subscription/preview', () => {
      const dueNow = prices[asked++] ?? 0
      const line = { description: 'Remaining time on Premium Plan', amount: dueNow }
      const change = { planId: plan.id, planName: plan.name, newPrice: 149, credit: 0 }
      return answer(ChangePreview, { ...change, dueNow, lines: [line], quote: `quote ${asked}` })
    }),
    http.post('*/api/change-subscription', async ({ request }) => {
      sent.push(await request.json())
      if (sent.length === 1) return refusal(409, 'This price is out of date')
      return answer(MySubscription, { hasSubscription: false, subscription: null, entitlements: [] })
    }),
  )
  let closed = 0
  const { findByRole, findByText } = show(t, <ChangePlanDialog plan={plan} onClose={() => closed++} />)
  fireEvent.click(await findByRole('button', { name: 'Pay $33.34 and change' }))
  t.ok(await findByText('This price is out of date'))
  t.equal(closed, 0, 'the dialog stays')
  fireEvent.click(await findByRole('button', { name: 'Pay $33.21 and change' }))
  t.ok(await findByText('You are now on the Premium Plan.'))
  t.equal(closed, 1)
  t.same(sent, [
    { planId: 'premium', quote: 'quote 1' },
    { planId: 'premium', quote: 'quote 2' },
  ])
})

const premium = { id: 'premium', name: 'Premium Plan', price: 149, features: [], connectionLimit: null }
const atTheProvider: PaymentConfig = { form: 'element', publishableKey: 'pk_1' }

/** Fakes the payment provider's script, which accepts every card. */
function takePayments(t: Test) {
  const element = { on: () => element, off: () => element, once: () => element, mount: () => {}, destroy: () => {} }
  const ready = { ...element, on: (name: string, hear: () => void) => (name === 'ready' && setTimeout(hear), ready) }
  const elements = () => ({ create: () => ready, getElement: () => null, update: () => {}, on: () => {} })
  const take = () => Promise.resolve({})
  const stripe = {
    elements,
    confirmPayment: take,
    createToken: take,
    createPaymentMethod: take,
    confirmCardPayment: take,
  }
  Object.assign(window, { Stripe: () => ({ ...stripe, registerAppInfo: () => {}, _registerWrapper: () => {} }) })
  t.teardown(() => Reflect.deleteProperty(window, 'Stripe'))
}

async function pay(t: Test, label: string) {
  const button = await screen.findByRole('button', { name: label })
  await becomes(t, () => button.matches(':disabled'), false)
  fireEvent.click(button)
}

t.test('does not report a payment as failed if only our server is unavailable', async (t) => {
  takePayments(t)
  const answers = [() => refusal(503, 'The database is away'), () => HttpResponse.error()]
  fakeNetwork(t).use(
    http.post('*/api/get-or-create-subscription', () => answer(ClientSecret, { clientSecret: 'pi_1_secret_1' })),
    http.post('*/api/confirm-subscription', () => answers.shift()?.() ?? refusal(402, 'Nothing was charged')),
  )
  const ignore = () => {}
  const { findByText, queryByText } = show(
    t,
    <SubscribePayment
      plan={premium}
      clientSecret=""
      config={atTheProvider}
      demo={false}
      onPaid={ignore}
      onCancel={ignore}
    />,
  )
  for (const words of [/^The database is away/, /If your payment went through, your plan will appear here\.$/]) {
    await pay(t, 'Subscribe Now')
    t.ok(await findByText('Payment Not Confirmed'))
    t.ok(await findByText(words))
    t.equal(queryByText('Payment Failed'), null)
    dismissToast()
  }
  await pay(t, 'Subscribe Now')
  t.ok(await findByText('Payment Failed'))
  t.ok(await findByText('Nothing was charged'))
})

t.test('does not report a payment pending at the bank as a success', async (t) => {
  takePayments(t)
  let active = false
  fakeNetwork(t).use(
    http.get('*/api/subscription-plans', () => HttpResponse.json([premium])),
    http.get('*/api/payment-config', () => answer(PaymentConfig, atTheProvider)),
    http.post('*/api/get-or-create-subscription', () => answer(ClientSecret, { clientSecret: 'pi_1_secret_1' })),
    http.post('*/api/confirm-subscription', () => {
      const subscription = active ? aSubscription({ status: 'active' }) : null
      return answer(MySubscription, { hasSubscription: active, entitlements: [], subscription })
    }),
  )
  let went = 0
  const onPaid = () => void (went += 1)
  const places = {
    'Subscribe Now': (
      <SubscribePayment
        plan={premium}
        clientSecret=""
        config={atTheProvider}
        demo={false}
        onPaid={onPaid}
        onCancel={() => {}}
      />
    ),
    'Complete Payment': <Checkout plan={premium} dealershipName="Acme" demo={false} onPaid={onPaid} />,
  }
  for (const [label, place] of Object.entries(places)) {
    const { findByText, queryByText, unmount } = show(t, place)
    active = false
    await pay(t, label)
    t.ok(await findByText('Payment Processing'), label)
    t.equal(queryByText('Payment Successful'), null)
    dismissToast()
    active = true
    await pay(t, label)
    t.ok(await findByText('Payment Successful'), label)
    dismissToast()
    unmount()
  }
  t.equal(went, 4)
})

t.test('does not promise features to a dealer who cancels an unpaid plan', async (t) => {
  const words = { active: /You keep everything until/, past_due: /Your last payment failed/, unpaid: /open invoice/ }
  for (const [status, said] of Object.entries(words)) {
    const subscription = aSubscription({ status: status as keyof typeof words })
    const { findByRole, unmount } = show(t, <CurrentSubscription subscription={subscription} title="Current Plan" />)
    fireEvent.click(await findByRole('button', { name: 'Cancel Subscription' }))
    const asked = (await findByRole('alertdialog')).textContent
    t.match(asked, said)
    t.equal(asked.includes('You keep everything'), status === 'active', status)
    t.notMatch(asked, /post inventory|bid/, 'most networks require no plan for that')
    unmount()
  }
})

t.test('confirms a published review even if its form is gone', async (t) => {
  const dealId = randomUUID()
  let reviewed = false
  fakeNetwork(t).use(
    http.get('*/api/deal', () => HttpResponse.json({ mayReview: !reviewed })),
    http.post(`*/api/deal/${dealId}/reviews`, async () => {
      reviewed = true
      // Simulate that the deal's event arrives before the response.
      await cache.invalidateQueries({ queryKey: dealsKey })
      await becomes(t, () => queryByRole('textbox'), null)
      return answer(Review, {
        id: randomUUID(),
        dealId,
        rating: 5,
        content: 'As described',
        reply: null,
        createdAt: '2026-11-20T10:00:00.000Z',
        repliedAt: null,
        subjectId: randomUUID(),
        author: { id: randomUUID(), name: 'Dana Torres', avatar: null, dealershipName: 'Torres Auto Group' },
      })
    }),
  )
  function Deal() {
    const { data } = useQuery({
      queryKey: dealsKey,
      queryFn: async () => (await request('/api/deal')).json() as Promise<{ mayReview: boolean }>,
    })
    return data?.mayReview ? <ReviewForm dealId={dealId} about="Marcus Webb" /> : null
  }
  const { cache, findByRole, findByText, getByLabelText, queryByRole } = show(t, <Deal />)
  fireEvent.click(await findByRole('radio', { name: '5 stars' }))
  fireEvent.change(getByLabelText('Your review'), { target: { value: 'As described' } })
  fireEvent.click(await findByRole('button', { name: 'Publish review' }))
  t.ok(await findByText('Marcus Webb can reply to it'))
})

t.test('reports a refused comment after its form closed and keeps the draft', async (t) => {
  const postId = randomUUID()
  fakeNetwork(t).use(
    http.post(`*/api/inventory/${postId}/comments`, async () => {
      fireEvent.click(toggle())
      await becomes(t, () => queryByRole('textbox'), null)
      return refusal(503, 'The database is away')
    }),
  )
  function Post() {
    const [open, setOpen] = useState(true)
    return (
      <>
        {open ? <CommentForm postId={postId} /> : null}
        <button onClick={() => setOpen(!open)}>Comments</button>
      </>
    )
  }
  const { findByText, getByRole, queryByRole } = show(t, <Post />)
  const toggle = () => getByRole('button', { name: 'Comments' })
  fireEvent.change(getByRole('textbox'), { target: { value: 'Is the title clean?' } })
  fireEvent.click(getByRole('button', { name: 'POST' }))
  t.ok(await findByText('Comment not posted'))
  t.ok(await findByText('The database is away'))
  fireEvent.click(toggle())
  t.match(getByRole('textbox'), { value: 'Is the title clean?' })
})

function openLikes(t: Test, postId: string) {
  const network = fakeNetwork(t)
  network.use(http.get('*/api/inventory/reactions', () => answer(OwnReactions, { like: [], info: [] })))
  return { network, ...show(t, <PostReactions postId={postId} />) }
}

const refusedTwice = (t: Test, cache: QueryClient) => {
  const states = () => cache.getMutationCache().findAll()
  return becomes(t, () => states().map(({ state }) => state.status), ['error', 'error'])
}

async function readyLike(t: Test, find: (role: 'button', options: { name: string }) => Promise<HTMLElement>) {
  const like = await find('button', { name: 'Like' })
  await becomes(t, () => like.hasAttribute('disabled'), false)
  return like
}

t.test('undoes both of two refused clicks', async (t) => {
  const postId = randomUUID()
  const { cache, network, findByRole } = openLikes(t, postId)
  let refuse = () => {}
  const waiting = new Promise<void>((resolve) => (refuse = resolve))
  network.use(
    http.all('*/api/inventory/:id/reactions/like', async () => {
      await waiting
      return refusal(503, 'The database is away')
    }),
  )
  fireEvent.click(await readyLike(t, findByRole))
  fireEvent.click(await findByRole('button', { name: 'Remove like' }))
  const like = await findByRole('button', { name: 'Like' })
  refuse()
  await refusedTwice(t, cache)
  t.equal(like.getAttribute('aria-pressed'), 'false')
})

t.test('does not undo a like with an older response', async (t) => {
  const postId = randomUUID()
  const { cache, network, findByRole } = openLikes(t, postId)
  let isLiked = false
  let arrive = () => {}
  const slow = new Promise<void>((resolve) => (arrive = resolve))
  const like = await readyLike(t, findByRole)
  let asked = 0
  network.use(
    http.get('*/api/inventory/reactions', async () => {
      asked += 1
      const own = { like: isLiked ? [postId] : [], info: [] }
      if (asked === 1) await slow
      return answer(OwnReactions, own)
    }),
    http.put('*/api/inventory/:id/reactions/like', () => {
      isLiked = true
      return new HttpResponse(null, { status: 204 })
    }),
  )
  const again = refetchLive(cache)
  await becomes(t, () => asked, 1)
  fireEvent.click(like)
  await findByRole('button', { name: 'Remove like', pressed: true })
  await becomes(t, () => isLiked, true)
  arrive()
  await again
  await becomes(t, () => asked, 2)
  await becomes(t, () => cache.isFetching(), 0)
  t.equal(like.getAttribute('aria-pressed'), 'true')
})

t.test('restores the bookmark after both changes are refused', async (t) => {
  const postId = randomUUID()
  let refuse = () => {}
  const waiting = new Promise<void>((resolve) => (refuse = resolve))
  fakeNetwork(t).use(
    http.get('*/api/watchlist/ids', () => answer(Type.Array(Type.String()), [postId])),
    http.all(`*/api/inventory/${postId}/watch`, async () => {
      await waiting
      return refusal(503, 'The database is away')
    }),
  )
  const { cache, findByRole } = show(t, <WatchButton postId={postId} />)
  fireEvent.click(await findByRole('button', { name: 'Stop watching' }))
  fireEvent.click(await findByRole('button', { name: 'Watch' }))
  await findByRole('button', { name: 'Stop watching' })
  refuse()
  await refusedTwice(t, cache)
  t.ok(await findByRole('button', { name: 'Stop watching' }))
})

t.test('shows an updated price when the tab becomes visible', async (t) => {
  const plan = { id: 'premium', name: 'Premium Plan', price: 149, features: [], connectionLimit: null }
  fakeNetwork(t).use(
    http.get('*/api/subscription-plans', () => answer(Type.Array(SubscriptionPlan), [plan])),
    http.get('*/api/payment-config', () => answer(PaymentConfig, { form: 'card-form', publishableKey: null })),
    http.get('*/api/my-subscription', () =>
      answer(MySubscription, { hasSubscription: false, subscription: null, entitlements: [] }),
    ),
  )
  const { findByText } = show(t, <Subscribe demo={false} />)
  t.ok(await findByText('$149'))
  plan.price = 199
  window.dispatchEvent(new Event('visibilitychange'))
  t.ok(await findByText('$199'))
})
