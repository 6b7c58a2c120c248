import { show } from '#tests/support/screen.tsx'
import { QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook, waitFor } from '@testing-library/react'
import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import Type from 'typebox'
import { App } from '#client/app/app.tsx'
import { openPostInventory } from '#client/app/post-inventory.ts'
import { openSearch } from '#client/app/shortcuts.tsx'
import { SignedOutApp } from '#client/app/signed-out-app.tsx'
import { setTheme } from '#client/app/theme.ts'
import { openAuction } from '#client/features/auctions/auction-popup.store.ts'
import { MaximumForm } from '#client/features/auctions/bid-buttons.tsx'
import { useLogout } from '#client/features/auth/auth.api.ts'
import { CheckoutForm } from '#client/features/billing/checkout/checkout-form.tsx'
import {
  clearSelectedPlan,
  readSelectedPlan,
  storeSelectedPlan,
} from '#client/features/billing/checkout/selected-plan.ts'
import { OfferDialog } from '#client/features/deals/offer-dialog.tsx'
import { laneQuery } from '#client/features/lane/lane.api.ts'
import { laneLive } from '#client/features/lane/lane.live.ts'
import { notePlaced } from '#client/features/lane/lane.store.ts'
import { noteAddressRefusal } from '#client/lib/session/unconfirmed-email-refusal.ts'
import { isAuctionOpen, noteOutbid, useOpenAuction } from '#client/lib/auction/auctions-on-screen.ts'
import { messagingStore, saveLayout } from '#client/features/messaging/messaging.store.ts'
import { startMessaging } from '#client/features/messaging/sync/current-client.ts'
import { emptyDraft } from '#client/features/posting/post-draft.ts'
import { PhotoQueue } from '#client/features/posting/photos/photo-queue.ts'
import { photoQueues } from '#client/features/posting/photos/use-photo-queue.ts'
import { sharedPost } from '#client/features/posting/received-share/shared-post.ts'
import { sentDrafts, useNewPost } from '#client/features/posting/use-post-draft.ts'
import { newVehicle } from '#client/features/posting/vehicle-draft.ts'
import { startPostOutbox, unsentSlice } from '#client/features/posting/post-outbox.ts'
import { PromotionsBanner } from '#client/features/promotions/promotions-banner.tsx'
import { noteRecent } from '#client/features/search/recent-searches.ts'
import { receiveChange } from '#client/features/posts/apply-post-changes.ts'
import { useNewPosts } from '#client/features/posts/feed/use-new-posts.ts'
import { useReveal } from '#client/features/posts/feed/use-feed-paging.ts'
import { usePostCatchUp } from '#client/features/posts/posts-catch-up.ts'
import { ApiError } from '#client/lib/http/api.ts'
import { idempotencyKeyOf } from '#client/lib/http/idempotency-key.ts'
import { useBidding } from '#client/lib/auction/bidding.ts'
import { CurrentDealerContext } from '#client/lib/session/current-dealer.ts'
import { setServerTime, setState } from '#client/lib/live/connection.ts'
import { draftNameOf, draftsStore, saveDraft, startDrafts } from '#client/lib/storage/drafts.ts'
import { runLater } from '#client/lib/live/delayed-calls.ts'
import { usePublishNavCount } from '#client/lib/screen/nav-counts.ts'
import { notePlanRefusal } from '#client/lib/session/plan-refusal.ts'
import { defineOptimisticToggle } from '#client/lib/query/optimistic-toggle.ts'
import { offerPush, pushDevice } from '#client/lib/push-device.ts'
import { withProof } from '#client/lib/session/identity-proof.ts'
import { postKey } from '#client/lib/query/query-keys.ts'
import { beginOptimistic } from '#client/lib/query/optimistic-update.ts'
import { askToReport } from '#client/lib/screen/report-subject.ts'
import { useOpened } from '#client/lib/post/count-views.ts'
import { resetStore, wholeStore } from '#client/lib/storage/store-slice.ts'
import { storedSteps } from '#client/features/demo/demo-strip-place.tsx'
import { storedPush } from '#client/lib/push-device.ts'
import type { StorageKey } from '#client/lib/storage/browser-storage.ts'
import { tab } from '#client/lib/storage/tab-state.ts'
import type { CurrentUser } from '#shared/schemas/dealers.ts'
import { Promotion } from '#shared/schemas/promotions.ts'
import { rememberWantedPath } from '#client/lib/session/path-after-sign-in.ts'
import { Button } from '#client/ui/button.tsx'
import { fill, press, textIn } from '#tests/support/controls.ts'
import { aLane } from '#tests/support/lane.ts'
import { answer, away, fakeNetwork, http } from '#tests/support/network.ts'
import { aCurrentUser, aFeedPost, anAuction, aPostDetail, aShownVehicle } from '#tests/support/records.ts'
import { stopTime } from '#tests/support/stopped-time.ts'
import { aQueryClient } from '#tests/support/query-cache.ts'

const shownPages = [{ posts: [aFeedPost()], next: undefined, total: 1 }]

function Traces() {
  usePublishNavCount('messages', 3)
  useOpenAuction('a post')
  useOpened('a post')
  usePostCatchUp('a post', 7)
  useNewPosts({ search: '', sort: 'recent' }, shownPages, false)
  useReveal({
    resetKey: 'a feed',
    firstPostId: 'a post',
    pageSize: 5,
    loaded: 0,
    hasMore: false,
    loadMore: () => undefined,
    list: { current: null },
  })
  return null
}

t.test('clears the store for the next dealer in the same tab', async (t) => {
  fakeNetwork(t).use(http.get('*', away))
  t.teardown(() => localStorage.clear())
  t.ok(App, 'the initial state is loaded')
  const initial = wholeStore()

  const traces = show(t, <Traces />)
  for (const listener of tab.joining.get('post:a post') ?? []) listener()
  t.ok(isAuctionOpen('a post'))
  const used = wholeStore()
  const left = { 'nav-counts': used['nav-counts'], 'open-auctions': used['open-auctions'] }
  setTheme('dark')
  localStorage.clear()
  setState('live')
  setServerTime('2030-01-01T00:00:00.000Z')
  idempotencyKeyOf('post', { title: 'One' })
  draftsStore.set((state) => void (state.texts['chat'] = 'Half a'))
  messagingStore.set((state) => void (state.dealerId = 'a dealer'))
  t.teardown(startMessaging('a dealer', aQueryClient()))
  const nothing = { put: async () => true, remove: async () => undefined, list: async () => [] }
  t.teardown(startPostOutbox({ dealerId: 'a dealer', cache: aQueryClient(), storage: nothing }))
  unsentSlice.set((state) => void (state.edited = 'a post'))
  photoQueues.set(({ byName }) => void (byName['a form'] = new PhotoQueue([], () => undefined)))
  sentDrafts.set(({ sendsInFlight }) => void (sendsInFlight['a form'] = 1))
  openPostInventory()
  sharedPost.set((state) => void (state.notes = ['1 photo was too large.']))
  offerPush('answer')
  pushDevice.set((state) => void (state.isMissing = true))
  const post = aPostDetail({ version: 1 })
  const holder = aQueryClient()
  holder.setQueryData(postKey(post.id), post)
  receiveChange(holder, { ...post, postId: post.id, version: 3 })
  void beginOptimistic(holder, postKey(post.id))
  askToReport({ kind: 'post', id: 'a post', name: 'A post' })
  const need = { message: 'Not in your plan', code: 'plan', requestId: '', details: { plan: 'premium' } }
  notePlanRefusal(new ApiError(402, '', JSON.stringify({ error: need })))
  const unconfirmed = { message: 'Confirm your email address', code: 'email_unconfirmed', requestId: '' }
  noteAddressRefusal(new ApiError(403, '', JSON.stringify({ error: unconfirmed })))
  const proofNeeded = { message: 'Confirm that it is you', code: 'proof_required', requestId: '' }
  const refuse = () => Promise.reject(new ApiError(403, '', JSON.stringify({ error: proofNeeded })))
  void withProof(refuse).catch(() => undefined)
  await waitFor(() => {
    if (wholeStore()['proof'] === initial['proof']) throw new Error('not yet')
  })
  notePlaced('a post')
  defineOptimisticToggle<boolean>('like').begin('a post', false)
  runLater('a fetch', 60_000, () => t.fail('nothing waits for the next dealer'))
  noteOutbid({ postId: 'another post', title: 'A truck', amount: 10_500 })
  openAuction(post)
  openSearch()
  history.pushState(null, '', '/deals')
  t.teardown(() => history.replaceState(null, '', '/'))
  window.dispatchEvent(new Event('popstate'))
  const full = { ...wholeStore(), ...left }
  for (const [name, state] of Object.entries(full)) t.strictNotSame(state, initial[name], `${name} was used`)
  traces.unmount()

  show(t, <SignedOutApp />, undefined, '/login')
  await waitFor(() => {
    if (draftsStore.get().texts['chat'] !== undefined) throw new Error('not yet')
  })
  for (const [name, state] of Object.entries(wholeStore())) t.strictSame(state, initial[name], name)
})

const dana = aCurrentUser()
const marcus = aCurrentUser({ id: randomUUID() })
const vehicle = aShownVehicle()
const premium = { id: 'premium', name: 'Premium Plan', price: 149, features: [], connectionLimit: null }
const atAuction = anAuction()

function Maximum() {
  return <MaximumForm auction={atAuction} bidding={useBidding(atAuction, allowed)} blocked={false} />
}
const allowed = { oneTap: false, isOpen: true, isOffline: false }

const forms = [
  { label: 'Your maximum', typed: '31,000', form: <Maximum /> },
  {
    label: 'Your offer',
    typed: '29,500',
    form: <OfferDialog post={aPostDetail()} vehicle={vehicle} onClose={() => undefined} />,
  },
  {
    label: /^Address/,
    typed: '1 Main St',
    form: <CheckoutForm plan={premium} demo={false} onPaid={() => undefined} />,
  },
]

function LogOut() {
  return <Button onClick={useLogout()}>Log out</Button>
}

t.test('restores unfinished input after a reload, not for another dealer or after log-out', async (t) => {
  fakeNetwork(t)
  for (const { label, typed, form } of forms) {
    const first = show(t, form, dana)
    fill(label, typed)
    first.unmount()
    const second = show(t, form, marcus)
    t.equal(textIn(label), '', `${label}, by another dealer`)
    second.unmount()
    const third = show(t, form, dana)
    t.equal(textIn(label), typed, `${label}, after a reload`)
    third.unmount()
  }
  rememberWantedPath('/deals')
  t.not(sessionStorage.length, 0)
  show(t, <LogOut />, dana)
  await press('Log out')
  t.same(Object.keys({ ...sessionStorage }), [])
})

const aDraft = { ...emptyDraft(newVehicle({ city: 'Dallas', state: 'TX' })), title: 'One' }

const promotion: Promotion = {
  id: randomUUID(),
  title: 'Half price',
  message: 'Today',
  type: 'info',
  targetAudience: 'all',
  startDate: '2026-11-01',
  endDate: '2026-11-30',
  isActive: true,
  version: 1,
}

/** For every storage key: a function that stores a dealer's data under it, or the reason why the data is not personal. */
const keptBy: Record<StorageKey, ((t: Test, dealer: CurrentUser) => unknown) | string> = {
  'lanewire.theme': 'the screen and its light, whoever sits there',
  'lanewire.scans': 'whether this device is one to scan with',
  'lanewire.notices': 'what this browser may sound and show',
  'lanewire.noticed': 'ids of messages, so that one of all tabs tells of each',
  'lanewire.demo-steps': (_t, dealer) => storedSteps.write({ found: true, closed: false }, dealer.id),
  'lanewire.push': (_t, dealer) =>
    storedPush.write({ session: 'session-1', endpoint: 'https://push.test/1' }, dealer.id),
  'lanewire.push-asked': 'how often this browser has asked, whoever uses it',
  'lanewire.signed-out': 'the session that was left, until the server knows',
  'lanewire.wanted': "a visitor's way, until sign-in has led there; a log-out forgets it",
  selectedPlan: (_t, dealer) => storeSelectedPlan('basic', dealer.id),
  'lanewire.dismissed-promotions': async (t, dealer) => {
    const { unmount } = show(t, <PromotionsBanner />, dealer)
    await press('Dismiss')
    unmount()
  },
  'lanewire.draft': (_t, dealer) => {
    const stop = startDrafts(dealer.id)
    saveDraft('a chat', 'Half a')
    stop()
  },
  'lanewire.sent': (_t, dealer) => idempotencyKeyOf(draftNameOf(dealer.id, 'a chat'), 'One'),
  'lanewire.posting': (_t, dealer) => {
    const { result, unmount } = renderHook(() => useNewPost('dialog', () => undefined), {
      wrapper: ({ children }) => (
        <QueryClientProvider client={aQueryClient()}>
          <CurrentDealerContext value={dealer}>{children}</CurrentDealerContext>
        </QueryClientProvider>
      ),
    })
    act(() => result.current.change(aDraft))
    unmount()
  },
  'lanewire.dock': (_t, dealer) => {
    messagingStore.set((state) => void (state.dealerId = dealer.id))
    saveLayout({ isListOpen: true, windows: [] })
  },
  'lanewire.recent-searches': (_t, dealer) =>
    noteRecent(dealer.id, { kind: 'post', href: '/posts/1', label: 'A post', detail: '' }),
  'lanewire.form': (t, dealer) => {
    const { unmount } = show(t, <Maximum />, dealer)
    fill('Your maximum', '31,000')
    unmount()
  },
}

t.test("stores a dealer's data under their id", async (t) => {
  fakeNetwork(t).use(http.get('*/api/promotions', () => answer(Type.Array(Promotion), [promotion])))
  for (const [key, keep] of Object.entries(keptBy)) {
    if (typeof keep === 'string') continue
    for (const storage of [localStorage, sessionStorage]) storage.clear()
    await keep(t, dana)
    const names = [localStorage, sessionStorage].flatMap((storage) => Object.keys({ ...storage }))
    t.ok(
      names.length > 0 && names.every((name) => name.startsWith(`${key}.`) && name.includes(dana.id)),
      `${key}: ${names.join()}`,
    )
  }
})

t.test("gives a visitor's chosen plan to the first dealer who signs in only", (t) => {
  t.teardown(() => localStorage.clear())
  storeSelectedPlan('basic')
  t.equal(readSelectedPlan(dana.id), 'basic')
  t.equal(readSelectedPlan(marcus.id), null)
  t.equal(readSelectedPlan(dana.id), 'basic')
  clearSelectedPlan(dana.id)
  t.equal(readSelectedPlan(dana.id), null)
  t.end()
})

t.test('cancels scheduled Lane fetches for the next dealer', (t) => {
  const time = stopTime(t)
  const cache = aQueryClient()
  const { queryKey } = laneQuery()
  cache.setQueryData(queryKey, aLane())
  const moved = () =>
    laneLive['lane.rows'](cache, { rows: [], gone: [], more: true, serverNow: new Date().toISOString() })
  const isAsked = () => cache.getQueryState(queryKey)?.isInvalidated
  moved()
  resetStore()
  time.tick(60_000)
  t.equal(isAsked(), false)
  moved()
  moved()
  time.tick(60_000)
  t.equal(isAsked(), true, 'and the next dealer does not wait')
  t.end()
})

t.test('resets every slice and keeps the slices usable', (t) => {
  resetStore()
  const initial = wholeStore()
  askToReport({ kind: 'post', id: 'a post', name: 'A post' })
  resetStore()
  t.strictSame(wholeStore(), initial)
  askToReport({ kind: 'post', id: 'a post', name: 'A post' })
  t.match(wholeStore()['reporting'], { subject: { id: 'a post' } })
  resetStore()
  t.end()
})
