import { randomBytes } from 'node:crypto'
import t from 'tap'
import type { PushState } from '#shared/schemas/push.ts'
import { pushDevicesMax } from '#shared/limits.ts'
import { startApp } from '#tests/support/app.ts'
import { addCalls } from '#tests/support/limits.ts'
import { devicesOf, register, startPushService } from '#tests/support/push-service.ts'
import { hashSecret } from '#server/platform/secrets.ts'

const service = await startPushService(t)
const app = await startApp(t, { FETCH_PRIVATE_HOSTS: service.host })
t.beforeEach(app.startOver)

t.test('registers this browser, renames it and removes it', async (t) => {
  const dealer = await app.signIn()
  const { body: before } = await dealer.get<PushState>('/api/push')
  t.equal(Buffer.from(before.publicKey, 'base64url').length, 65)
  t.same(before.devices, [])
  const { status, body: device } = await register(dealer, service.subscribe())
  t.equal(status, 200)
  t.match(device, { label: 'Chrome on Android', hideContent: false, isCurrent: true, lastOkAt: null, failing: null })
  const path = `/api/push/devices/${device.id}`
  t.match(await dealer.patch(path, { label: 'Phone', hideContent: true }), {
    status: 200,
    body: { label: 'Phone', hideContent: true },
  })
  t.equal((await dealer.delete(path)).status, 204)
  t.same(await devicesOf(dealer), [])
  t.equal((await dealer.get<PushState>('/api/push')).body.publicKey, before.publicKey)
})

t.test('hides a device from every other dealer, also from staff', async (t) => {
  const dealer = await app.signIn()
  const { body: device } = await register(dealer, service.subscribe())
  const path = `/api/push/devices/${device.id}`
  for (const other of [await app.signIn('Other'), await app.signIn('Lanewire', { role: 'admin' })]) {
    t.same(await devicesOf(other), [])
    for (const answer of [
      await other.patch(path, { label: 'Mine' }),
      await other.delete(path),
      await other.post(`${path}/test`),
    ])
      t.match(answer, { status: 404, body: { error: { message: 'This device was not found' } } })
  }
  t.match(await devicesOf(dealer), [{ label: 'Chrome on Android' }])
  for (const call of [
    app.visitor.get('/api/push'),
    register(app.visitor, service.subscribe()),
    app.visitor.delete(path),
  ])
    t.equal((await call).status, 401)
})

t.test('accepts endpoints of known push services only', async (t) => {
  const dealer = await app.signIn()
  const { keys } = service.subscribe()
  const put = (endpoint: string) => dealer.put('/api/push/devices', { endpoint, keys, label: 'Phone' })
  for (const endpoint of [
    'https://fcm.googleapis.com/fcm/send/abc',
    'https://updates.push.services.mozilla.com/wpush/v2/abc',
    'https://web.push.apple.com/abc',
  ])
    t.equal((await put(endpoint)).status, 200, endpoint)
  for (const endpoint of [
    'http://fcm.googleapis.com/send/a',
    'https://fcm.googleapis.com:8443/send/a',
    'https://user:secret@fcm.googleapis.com/send/a',
    'https://fcm.googleapis.com.example.com/send/a',
    'https://evilpush.apple.com/a',
    'https://push.apple.com/a',
    'https://127.0.0.1/a',
    'http://127.0.0.1:1/a',
    'https://[::1]/a',
    'nonsense',
  ])
    t.equal((await put(endpoint)).status, 400, endpoint)
  t.match(await put('https://example.com/push'), {
    body: { error: { message: 'This push service is not supported: example.com' } },
  })
})

t.test('refuses keys that are not a P-256 point and 16 bytes', async (t) => {
  const dealer = await app.signIn()
  const browser = service.subscribe()
  const offCurve = Buffer.concat([Buffer.from([4]), randomBytes(64)]).toString('base64url')
  for (const keys of [
    { ...browser.keys, p256dh: offCurve },
    { ...browser.keys, p256dh: browser.keys.p256dh.slice(2) },
    { ...browser.keys, auth: randomBytes(15).toString('base64url') },
  ])
    t.equal((await register(dealer, { ...browser, keys })).status, 400)
})

t.test('keeps the keys of a registered browser, and moves it to the dealer who signs in next', async (t) => {
  const [ann, ben] = [await app.signIn('Ann Autos'), await app.signIn('Ben Motors')]
  const browser = service.subscribe()
  const { body: first } = await register(ann, browser)
  await ann.patch(`/api/push/devices/${first.id}`, { hideContent: true })
  t.match(await register(ben, { ...browser, keys: service.subscribe().keys }), {
    status: 409,
    body: { error: { message: 'This browser is registered with different keys. Turn push off and on again' } },
  })
  t.equal((await register(ann, browser)).body.hideContent, true, 'registering again keeps the choice')
  t.match(await register(ben, browser), { status: 200, body: { hideContent: false } })
  t.same(await devicesOf(ann), [])
  t.equal((await devicesOf(ben)).length, 1)
})

t.test('has one device per session, and ten per dealer', async (t) => {
  const dealer = await app.signIn()
  const { db } = app.server.ctx
  const again = async () => {
    const secret = randomBytes(32).toString('base64url')
    const expiresAt = new Date(Date.now() + 3_600_000)
    await db
      .insertInto('sessions')
      .values({ hash: hashSecret(secret), dealerId: dealer.id, expiresAt })
      .execute()
    return { ...dealer, put: (await callerWith(secret)).put }
  }
  const callerWith = async (secret: string) => ({
    put: async (path: string, body: unknown) => {
      const headers = { 'content-type': 'application/json', cookie: `lanewire=${secret}` }
      const answer = await fetch(app.url + path, { method: 'PUT', headers, body: JSON.stringify(body) })
      return { status: answer.status, headers: answer.headers, body: (await answer.json()) as never }
    },
  })
  const old = service.subscribe()
  await register(dealer, old)
  await register(dealer, service.subscribe(), { replaces: old.endpoint })
  t.equal((await devicesOf(dealer)).length, 1, 'a new subscription replaces the one before')
  for (let count = 1; count < pushDevicesMax; count++)
    t.equal((await register(await again(), service.subscribe())).status, 200)
  t.match(await register(await again(), service.subscribe()), {
    status: 409,
    body: { error: { message: 'You have 10 devices. Remove one first' } },
  })
  t.equal((await register(dealer, service.subscribe())).status, 200, 'the same browser again')
})

t.test('removes a device with its session', async (t) => {
  const dealer = await app.signIn()
  await register(dealer, service.subscribe())
  t.equal((await dealer.post('/api/auth/logout', {})).status, 204)
  t.same(await app.server.ctx.db.selectFrom('pushDevices').select('id').execute(), [])
})

t.test('sends a test notification and says what the push service answered', async (t) => {
  const dealer = await app.signIn()
  const browser = service.subscribe()
  const { body: device } = await register(dealer, browser)
  const test = () => dealer.post(`/api/push/devices/${device.id}/test`)
  t.match(await test(), { status: 200, body: { status: 'accepted' } })
  t.match(browser.received, [
    {
      urgency: 'high',
      payload: { web_push: 8030, app_badge: 0, notification: { title: 'Lanewire can reach this device' } },
    },
  ])
  const busy = `${service.host} is receiving too many notifications.`
  for (const [answer, message] of [
    [429, `${busy} Try again later`],
    [{ status: 429, headers: { 'retry-after': '30' } }, `${busy} Wait 30 s and try again`],
    [{ status: 429, headers: { 'retry-after': '7200' } }, `${busy} Try again later`],
    [503, `${service.host} has a fault (status 503). Try again later`],
  ] as const) {
    browser.answers.push(answer)
    t.match(await test(), { status: 503, body: { error: { message } } })
  }
  t.match(await devicesOf(dealer), [{ failing: { reason: `${service.host} answered with status 503` } }])
  for (const answer of [400, 413, { status: 302, headers: { location: 'http://169.254.169.254/' } }]) {
    browser.answers.push(answer)
    const status = typeof answer === 'number' ? answer : answer.status
    const reason = `${service.host} rejected the notification (status ${status})`
    t.match(await test(), {
      status: 502,
      body: { error: { message: `${reason}. Turn push off and on again, or contact support` } },
    })
    t.match(await devicesOf(dealer), [{ failing: { reason } }])
  }
  t.equal((await test()).status, 200)
  t.match(await devicesOf(dealer), [{ failing: null, lastOkAt: /^20/ }])
  browser.answers.push(410)
  t.match(await test(), {
    status: 410,
    body: { error: { message: 'This browser no longer accepts push. Turn it on again' } },
  })
  t.same(await devicesOf(dealer), [])
  t.same(service.faults, [])
})

t.test('says if the push service cannot be found', async (t) => {
  const dealer = await app.signIn()
  const { body: device } = await register(dealer, service.subscribe())
  await app.server.ctx.db.updateTable('pushDevices').set({ endpoint: 'https://push.invalid/a' }).execute()
  t.match(await dealer.post(`/api/push/devices/${device.id}/test`), {
    status: 503,
    body: { error: { message: 'push.invalid could not be reached. Try again' } },
  })
  t.match(await devicesOf(dealer), [{ failing: { reason: 'push.invalid could not be reached' } }])
})

t.test('limits registrations to 60 and tests to 10 an hour', async (t) => {
  const limited = await startApp(t, { FETCH_PRIVATE_HOSTS: service.host, RATE_LIMITS: 'on' })
  const dealer = await limited.signIn()
  const browser = service.subscribe()
  const { body: device } = await register(dealer, browser)
  const test = async () => (await dealer.post(`/api/push/devices/${device.id}/test`)).status
  t.equal(await test(), 200)
  await addCalls(limited, 'push-tests', 8)
  t.same([await test(), await test()], [200, 429])
  await addCalls(limited, 'push-devices', 58)
  t.same([(await register(dealer, browser)).status, (await register(dealer, browser)).status], [200, 429])
})

t.test('takes the choice to hide content from the browser, also in a new session', async (t) => {
  const dealer = await app.signIn()
  const browser = service.subscribe()
  t.match(await register(dealer, browser, { hideContent: true }), { body: { hideContent: true } })
  t.match(await register(dealer, browser), { body: { hideContent: true } }, 'unchanged without a word about it')
  await app.server.ctx.db.deleteFrom('pushDevices').execute()
  t.match(await register(dealer, browser), { body: { hideContent: false } })
  t.match(await register(dealer, service.subscribe(), { hideContent: true }), { body: { hideContent: true } })
  t.match(await register(dealer, service.subscribe(), { hideContent: false }), { body: { hideContent: false } })
})

t.test('makes new keys if the session secret has changed', async (t) => {
  const dealer = await app.signIn()
  const keyOf = async () => (await dealer.get<PushState>('/api/push')).body.publicKey
  const before = await keyOf()
  const { db } = app.server.ctx
  await db
    .updateTable('pushKeys')
    .set({ privateKey: randomBytes(60) })
    .execute()
  const [one, two] = await Promise.all([keyOf(), keyOf()])
  t.not(one, before)
  t.equal(one, two, 'two processes agree on one pair')
})

t.test('sends a share without a service worker to the page that explains it', async (t) => {
  const answer = await fetch(`${app.url}/share`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'sec-fetch-site': 'cross-site', 'content-type': 'multipart/form-data; boundary=x' },
    body: '--x--',
  })
  t.equal(answer.status, 303)
  t.equal(answer.headers.get('location'), '/?share=none')
})
