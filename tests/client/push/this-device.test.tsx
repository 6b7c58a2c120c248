import { show } from '#tests/support/screen.tsx'
import { becomes } from '#tests/support/screen.tsx'
import { fireEvent, screen } from '@testing-library/react'
import t, { type Test } from 'tap'
import { PushCards } from '#client/features/push/push-cards.tsx'
import { hasPushDevice, storedPush } from '#client/lib/push-device.ts'
import { authStatusKey } from '#client/lib/query/query-keys.ts'
import { PushDevice, PushDevicePatch, PushTestSent } from '#shared/schemas/push.ts'
import { gone, press, says } from '#tests/support/controls.ts'
import { answer, away, http, refuseFirst, refusal, sent } from '#tests/support/network.ts'
import { aPushBrowser } from '#tests/support/push-browser.ts'
import { aPushDevice, aPushServer } from '#tests/support/push-network.ts'
import { aCurrentUser } from '#tests/support/records.ts'

const off = 'Get outbid alerts and messages on this device, even when Lanewire is closed.'

function openCards(t: Test, me = aCurrentUser()) {
  const shown = show(t, <PushCards />, me)
  shown.cache.setQueryData(authStatusKey, { session: 'session-1' })
  shown.cache.setQueryData(['/api/auth/me'], me)
  return { ...shown, me }
}

function withAgent(t: Test, userAgent: string, maxTouchPoints = 0) {
  for (const [name, value] of Object.entries({ userAgent, maxTouchPoints })) {
    Object.defineProperty(navigator, name, { configurable: true, value })
    t.teardown(() => Reflect.deleteProperty(navigator, name))
  }
}

t.test('turns push on after the press alone, and shows the device at once', async (t) => {
  const { log } = aPushBrowser(t, { permission: 'default' })
  const { registered } = aPushServer(t)
  const { me } = openCards(t)
  await says(off)
  t.same(log, [], 'nothing is asked before the press')
  await press('Turn on')
  await says('On')
  t.same(log, ['asks', 'subscribes for AAAA'])
  t.match(registered, [{ endpoint: 'https://push.test/new-1', keys: { p256dh: /^.{87}$/, auth: /^.{22}$/ } }])
  t.same(storedPush.read(me.id), { session: 'session-1', endpoint: 'https://push.test/new-1', hidesContent: false })
  t.ok(hasPushDevice(me.id))
})

t.test('stays off and says why if the question is dismissed', async (t) => {
  aPushBrowser(t, { permission: 'default', answers: 'default' })
  const { registered } = aPushServer(t)
  const { me } = openCards(t)
  await press('Turn on')
  await says('Notifications are not set up in this browser.')
  t.same([registered, hasPushDevice(me.id)], [[], false])
})

t.test('explains how to allow notifications in this browser after a refusal', async (t) => {
  withAgent(t, 'Mozilla/5.0 (Windows NT 10.0) Chrome/150.0 Safari/537.36')
  aPushBrowser(t, { permission: 'default', answers: 'denied' })
  aPushServer(t)
  openCards(t)
  await press('Turn on')
  await says('Your browser blocks notifications. Allow them in its site settings, then reload.')
  await says(/^In Chrome:/)
})

t.test('says that a private window cannot receive push', async (t) => {
  aPushBrowser(t, { refuses: true })
  aPushServer(t)
  openCards(t)
  await press('Turn on')
  await says('This browser cannot receive push while Lanewire is closed.')
})

t.test("shows the server's words if it refuses the device", async (t) => {
  aPushBrowser(t)
  const { network } = aPushServer(t)
  network.use(http.put('*/api/push/devices', () => refusal(409, 'You have 10 devices. Remove one first')))
  const { me } = openCards(t)
  await press('Turn on')
  await says('You have 10 devices. Remove one first')
  t.notOk(hasPushDevice(me.id))
})

t.test('turns push off: removes the device and the subscription', async (t) => {
  const browser = aPushBrowser(t, { subscription: { endpoint: 'https://push.test/1', key: 'AAAA' } })
  const { devices } = aPushServer(t, [aPushDevice({ isCurrent: true })])
  const { me } = openCards(t)
  storedPush.write({ session: 'session-1', endpoint: 'https://push.test/1' }, me.id)
  await press('Turn off')
  await says(off)
  t.same([devices, browser.endpoint(), storedPush.read(me.id)], [[], undefined, undefined])
})

t.test('sends a test, and hides content', async (t) => {
  aPushBrowser(t)
  const device = aPushDevice({ isCurrent: true })
  const { network } = aPushServer(t, [device])
  network.use(
    http.post(`*/api/push/devices/${device.id}/test`, () => answer(PushTestSent, { status: 'accepted' })),
    http.patch(`*/api/push/devices/${device.id}`, async ({ request }) => {
      Object.assign(device, await sent(PushDevicePatch, request))
      return answer(PushDevice, device)
    }),
  )
  const { me } = openCards(t)
  storedPush.write({ session: 'session-1', endpoint: 'https://push.test/1' }, me.id)
  await press('Send test')
  await says('Sent. It should appear within seconds.')
  const hides = () => screen.getByLabelText('Hide content').getAttribute('aria-checked')
  fireEvent.click(screen.getByLabelText('Hide content'))
  await becomes(t, hides, 'true')
  await becomes(t, () => device.hideContent, true)
  await becomes(t, () => storedPush.read(me.id)?.hidesContent, true)
})

t.test(
  'shows why a test failed, also when the server has dropped the device, and makes a new subscription',
  async (t) => {
    const { log } = aPushBrowser(t, { subscription: { endpoint: 'https://push.test/dead', key: 'AAAA' } })
    const { network, devices, registered } = aPushServer(t, [aPushDevice({ isCurrent: true })])
    const gone410 = 'This browser no longer accepts push. Turn it on again'
    network.use(
      http.post('*/api/push/devices/:id/test', () => {
        devices.splice(0)
        return refusal(410, gone410)
      }),
    )
    openCards(t)
    await press('Send test')
    await says(off)
    await says(gone410)
    await press('Turn on')
    await says('On')
    await gone(t, gone410)
    t.same(log, ['asks', 'ends https://push.test/dead', 'subscribes for AAAA'])
    t.match(registered, [{ endpoint: 'https://push.test/new-1' }])
  },
)

t.test('shows when and why the last delivery failed', async (t) => {
  aPushBrowser(t)
  const failing = { at: '2026-11-20T12:00:00.000Z', reason: 'push.test did not answer' }
  aPushServer(t, [aPushDevice({ isCurrent: true, failing })])
  openCards(t)
  await says('Last delivery failed on Nov 20: push.test did not answer')
})

const iphone = (version: string) =>
  `Mozilla/5.0 (iPhone; CPU iPhone OS ${version} like Mac OS X) AppleWebKit/605.1.15 Version/17.0 Safari/604.1`

for (const [browser, agent, touch, shown] of [
  ['an iPhone outside the installed app', iphone('17_1'), 5, 'Choose Add to Home Screen.'],
  [
    'an iPad, which calls itself a Mac',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Safari/605.1.15',
    5,
    'Share in',
  ],
  ['an iPhone before 16.4', iphone('16_3'), 5, 'Update iOS to 16.4 or later.'],
  ['a browser without push', 'Mozilla/5.0 (X11; Linux) Firefox/128.0', 0, 'This browser cannot receive push'],
] as const)
  t.test(`says what ${browser} needs`, async (t) => {
    withAgent(t, agent, touch)
    aPushServer(t)
    openCards(t)
    await says(new RegExp(shown))
    t.equal(screen.queryByRole('button', { name: 'Turn on' }), null)
  })

t.test('lists, tests and removes other devices', async (t) => {
  aPushBrowser(t)
  const phone = aPushDevice({ label: 'Safari on iPhone', lastOkAt: '2026-11-20T12:00:00.000Z' })
  const { network } = aPushServer(t, [phone])
  network.use(
    http.post(`*/api/push/devices/${phone.id}/test`, () => refusal(503, 'push.test did not answer. Try again')),
  )
  openCards(t)
  await says('Safari on iPhone')
  await says(/^Last delivery Nov 20/)
  await press('Test Safari on iPhone')
  await says('push.test did not answer. Try again')
  await press('Remove Safari on iPhone')
  await becomes(t, () => screen.queryByText('Other devices'), null)
})

t.test('shows two skeleton rows while loading, and Retry if it fails', async (t) => {
  aPushBrowser(t)
  const { network } = aPushServer(t)
  const refuse = refuseFirst(network, '*/api/push')
  openCards(t)
  await says('Loading your devices')
  refuse()
  await says('Your devices could not be loaded')
  await says('The database is away')
  await press('Retry')
  await says(off)
})

t.test('asks for the permission of tabs only, where the server has push turned off', async (t) => {
  const { log } = aPushBrowser(t, { permission: 'default' })
  aPushServer(t).network.use(http.get('*/api/push', () => refusal(404, 'Not found')))
  openCards(t)
  await press('Allow')
  await says('Notifications appear while Lanewire is open in the background.')
  t.same(log, ['asks'])
})

t.test('keeps push on if it cannot be turned off', async (t) => {
  aPushBrowser(t)
  const { network } = aPushServer(t, [aPushDevice({ isCurrent: true })])
  network.use(http.delete('*/api/push/devices/:id', away))
  const { me } = openCards(t)
  storedPush.write({ session: 'session-1', endpoint: 'https://push.test/1' }, me.id)
  await press('Turn off')
  await says('Push stays on')
  t.ok(hasPushDevice(me.id))
})
