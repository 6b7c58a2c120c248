import { becomes, show } from '#tests/support/screen.tsx'
import t, { type Test } from 'tap'
import { SignedOutApp } from '#client/app/signed-out-app.tsx'
import { useLogout } from '#client/features/auth/auth.api.ts'
import { PushWatch } from '#client/features/push/push-watch.tsx'
import { pushInbox } from '#client/features/push/push.live.ts'
import { usePublishNavCount } from '#client/lib/screen/nav-counts.ts'
import { hasPushDevice, storedPush } from '#client/lib/push-device.ts'
import { authStatusKey, meKey } from '#client/lib/query/query-keys.ts'
import { press } from '#tests/support/controls.ts'
import { away, fakeNetwork, http, refusal } from '#tests/support/network.ts'
import { aPushBrowser } from '#tests/support/push-browser.ts'
import { aPushDevice, aPushServer } from '#tests/support/push-network.ts'
import { aCurrentUser } from '#tests/support/records.ts'

const endpoint = 'https://push.test/1'
const subscription = { endpoint, key: 'AAAA' }

/** Starts the app for a dealer who turned push on in this browser during `lastSession`. */
function startApp(t: Test, { session = 'session-2', lastSession = 'session-1' as string | null } = {}) {
  const me = aCurrentUser()
  if (lastSession !== null) storedPush.write({ session: lastSession, endpoint }, me.id)
  const { cache, unmount } = show(t, <PushWatch />, me)
  cache.setQueryData(meKey, me)
  cache.setQueryData(authStatusKey, { session })
  return { me, cache, unmount }
}

t.test('registers again at each start and with each new session', async (t) => {
  const { log } = aPushBrowser(t, { subscription })
  const { registered } = aPushServer(t)
  const { me, cache } = startApp(t)
  await becomes(t, () => registered.map((one) => one.endpoint), [endpoint])
  await becomes(t, () => storedPush.read(me.id)?.session, 'session-2')
  cache.setQueryData(authStatusKey, { session: 'session-3' })
  await becomes(t, () => registered.length, 2)
  t.same(log, [], 'with the subscription that the browser has')
  t.ok(hasPushDevice(me.id))
})

t.test('sends the choice to hide content with a new session', async (t) => {
  aPushBrowser(t, { subscription })
  const { registered } = aPushServer(t)
  const me = aCurrentUser()
  storedPush.write({ session: 'session-1', endpoint, hidesContent: true }, me.id)
  const { cache } = show(t, <PushWatch />, me)
  cache.setQueryData(meKey, me)
  cache.setQueryData(authStatusKey, { session: 'session-2' })
  await becomes(t, () => registered.map(({ hideContent }) => hideContent), [true])
  await becomes(t, () => storedPush.read(me.id), { session: 'session-2', endpoint, hidesContent: true })
})

t.test(
  'closes notifications and ends the subscription on sign-out, and subscribes again in the next session',
  async (t) => {
    const browser = aPushBrowser(t, { subscription })
    const { registered } = aPushServer(t)
    browser.shown.add('auction:1')
    const { cache, me, unmount } = startApp(t, { session: 'session-1' })
    await becomes(t, () => registered.length, 1)
    const ending = browser.endpoint()
    unmount()
    show(t, <SignOut />, me)
    await press('Sign out')
    await becomes(t, () => [browser.endpoint(), browser.shown.size], [undefined, 0])
    cache.clear()
    startApp(t, { session: 'session-2', lastSession: 'session-1' })
    await becomes(t, () => registered.length, 2)
    t.match(browser.endpoint(), /new-/)
    t.not(browser.endpoint(), ending)
  },
)

function SignOut() {
  return <button onClick={useLogout()}>Sign out</button>
}

t.test('closes notifications where the server has ended the session', async (t) => {
  const { shown } = aPushBrowser(t)
  fakeNetwork(t).use(http.get('*', away))
  shown.add('chat:1')
  show(t, <SignedOutApp />, undefined, '/login')
  await becomes(t, () => shown.size, 0)
})

t.test('does nothing where the dealer never turned push on', async (t) => {
  const { log } = aPushBrowser(t, { subscription })
  const { registered } = aPushServer(t)
  const { me, cache } = startApp(t, { lastSession: null })
  t.notOk(hasPushDevice(me.id))
  storedPush.write({ session: 'session-1', endpoint }, me.id)
  cache.setQueryData(authStatusKey, { session: 'session-3' })
  await becomes(t, () => storedPush.read(me.id)?.session, 'session-3')
  t.same([registered.length, log], [1, []], 'once, after it was turned on')
})

t.test("makes a new subscription if the network's key has changed, and names the old endpoint", async (t) => {
  const { log } = aPushBrowser(t, { subscription })
  const { registered } = aPushServer(t, [], 'BBBB')
  startApp(t)
  await becomes(t, () => registered.length, 1)
  t.match(registered, [{ endpoint: 'https://push.test/new-1', replaces: endpoint }])
  t.same(log, [`ends ${endpoint}`, 'subscribes for BBBB'])
})

t.test('makes a new subscription if the server dropped the device of this session', async (t) => {
  const { log } = aPushBrowser(t, { subscription })
  const { registered } = aPushServer(t)
  startApp(t, { session: 'session-1' })
  await becomes(t, () => registered.map((one) => one.endpoint), ['https://push.test/new-1'])
  t.same(log, [`ends ${endpoint}`, 'subscribes for AAAA'])
})

t.test('lets tabs show notices themselves where the browser has no device', async (t) => {
  aPushBrowser(t, { subscription })
  aPushServer(t).network.use(http.get('*/api/push', () => refusal(404, 'Not found')))
  const { me } = startApp(t)
  await becomes(t, () => hasPushDevice(me.id), false)
  t.ok(storedPush.read(me.id), 'the next start tries again')
})

t.test('notices when another browser removes the device', async (t) => {
  aPushBrowser(t, { subscription })
  const { devices, registered } = aPushServer(t, [aPushDevice({ isCurrent: true })])
  const { me, cache } = startApp(t)
  await becomes(t, () => registered.length, 1)
  await becomes(t, () => storedPush.read(me.id)?.session, 'session-2')
  await becomes(t, () => hasPushDevice(me.id), true)
  devices.splice(0)
  pushInbox.push(cache)
  await becomes(t, () => hasPushDevice(me.id), false)
})

t.test('sets the number of the icon from the two numbers of the top bar, and clears it on sign-out', async (t) => {
  aPushBrowser(t)
  aPushServer(t).network.use(http.get('*', away))
  const badges: number[] = []
  const parts = {
    setAppBadge: async (count: number) => void badges.push(count),
    clearAppBadge: async () => void badges.push(0),
  }
  for (const [name, value] of Object.entries(parts)) {
    Object.defineProperty(navigator, name, { configurable: true, value })
    t.teardown(() => Reflect.deleteProperty(navigator, name))
  }
  const me = aCurrentUser()
  const { unmount } = show(
    t,
    <>
      <Counts messages={3} notifications={1} />
      <PushWatch />
    </>,
    me,
  )
  await becomes(t, () => badges.at(-1), 4)
  unmount()
  show(t, <SignedOutApp />, undefined, '/login')
  await becomes(t, () => badges.at(-1), 0)
})

function Counts({ messages, notifications }: { messages: number; notifications: number }) {
  usePublishNavCount('messages', messages)
  usePublishNavCount('notifications', notifications)
  return null
}
