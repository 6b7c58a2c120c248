import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import t from 'tap'
import { type PushState, RegisterPushDevice } from '#shared/schemas/push.ts'
import Value from 'typebox/value'
import { until } from '#tests/support/wait.ts'
import { aPushDevice } from '#tests/support/push-network.ts'

const origin = 'https://lanewire.test'

interface Shown {
  title: string
  options: { body: string; tag: string; silent: boolean; renotify: boolean; data: { path: string } }
}

interface Kept {
  json: () => Promise<unknown>
  headers: Headers
}

function aCache() {
  const kept = new Map<string, Response>()
  const pathOf = (request: string | { url: string }) =>
    new URL(typeof request === 'string' ? request : request.url, origin).pathname
  return {
    kept,
    keys: async () => [...kept.keys()].map((path) => ({ url: origin + path })),
    match: async (request: string | { url: string }): Promise<Kept | undefined> => kept.get(pathOf(request))?.clone(),
    put: async (path: string, response: Response) => void kept.set(path, response),
    delete: async (request: { url: string }) => kept.delete(pathOf(request)),
  }
}

interface Tab {
  url: string
  focus: () => void
  postMessage: (message: unknown) => void
}

function aWorker({ fetch = async (): Promise<Response> => Response.error(), tabs = [] as readonly Tab[] } = {}) {
  const hears = new Map<string, (event: object) => void>()
  const shown: Shown[] = []
  const badges: number[] = []
  const deleted: string[] = []
  const opened: string[] = []
  const cache = aCache()
  const names = ['lanewire-offline-1', 'lanewire-shared-1', 'lanewire-offline-0']
  const self = {
    addEventListener: (name: string, hear: (event: object) => void) => void hears.set(name, hear),
    skipWaiting: () => undefined,
    clients: {
      claim: async () => undefined,
      matchAll: async () => tabs,
      openWindow: (path: string) => void opened.push(path),
    },
    registration: {
      pushManager: {},
      showNotification: async (title: string, options: Shown['options']) => void shown.push({ title, options }),
    },
  }
  const caches = {
    open: async () => cache,
    keys: async () => names,
    delete: async (name: string) => void deleted.push(name),
  }
  const navigator = {
    setAppBadge: async (count: number) => void badges.push(count),
    clearAppBadge: async () => void badges.push(0),
  }
  const globals = {
    self,
    caches,
    navigator,
    fetch,
    URL,
    Response,
    File,
    crypto,
    location: { origin },
    Date,
    JSON,
    setTimeout: (end: () => void) => end(),
  }
  runInNewContext(readFileSync('client/public/sw.js', 'utf8'), globals)
  const dispatch = async (name: string, event: object) => {
    const done: Promise<unknown>[] = []
    let response: Promise<Response> | undefined
    hears.get(name)?.({
      ...event,
      waitUntil: (work: Promise<unknown>) => void done.push(work),
      respondWith: (work: Promise<Response>) => void (response = work),
    })
    await Promise.all(done)
    return response
  }
  const receive = (text: string | null) =>
    dispatch('push', { data: text === null ? null : { json: () => JSON.parse(text) as unknown } })
  const press = (path: string) =>
    dispatch('notificationclick', { notification: { data: { path }, close: () => undefined } })
  return { dispatch, receive, press, shown, opened, badges, deleted, cache }
}

const outbid = {
  web_push: 8030,
  app_badge: 4,
  notification: {
    title: 'You have been outbid',
    body: '2019 Ford F-150: now $18,500',
    navigate: `${origin}/post/1?from=push`,
    tag: 'auction:1',
    silent: false,
  },
}

t.test('shows a push and its badge', async (t) => {
  const { receive, shown, badges } = aWorker()
  await receive(JSON.stringify(outbid))
  t.match(shown, [
    {
      title: 'You have been outbid',
      options: {
        body: '2019 Ford F-150: now $18,500',
        tag: 'auction:1',
        silent: false,
        renotify: true,
        data: { path: '/post/1?from=push' },
      },
    },
  ])
  t.same(badges, [4])
})

t.test('replaces a notification without sound where the server says so', async (t) => {
  const { receive, shown } = aWorker()
  await receive(JSON.stringify({ ...outbid, notification: { ...outbid.notification, silent: true } }))
  t.match(shown[0]?.options, { silent: true, renotify: false })
})

t.test('removes the badge at 0, and leaves it without a number', async (t) => {
  const { receive, badges } = aWorker()
  await receive(JSON.stringify({ ...outbid, app_badge: 0 }))
  await receive(JSON.stringify({ ...outbid, app_badge: undefined }))
  await receive(JSON.stringify({ ...outbid, app_badge: '7' }))
  t.same(badges, [0])
})

for (const [what, text] of [
  ['no content', null],
  ['text', 'hello'],
  ['JSON without a notification', '{"web_push":8030}'],
  ['an empty title', JSON.stringify({ notification: { ...outbid.notification, title: '' } })],
] as const)
  t.test(`shows a notification for a push with ${what}, because browsers require one`, async (t) => {
    const { receive, shown } = aWorker()
    await receive(text)
    t.match(shown, [{ title: 'Lanewire: something new', options: { data: { path: '/' } } }])
  })

for (const [navigate, path] of [
  ['https://elsewhere.test/post/1', '/'],
  ['javascript:alert(1)', '/'],
  [`${origin}//elsewhere.test`, '/'],
  ['/messages?chat=1', '/messages?chat=1'],
] as const)
  t.test(`opens ${path} for a push about ${navigate}`, async (t) => {
    const { receive, shown } = aWorker()
    await receive(JSON.stringify({ notification: { ...outbid.notification, navigate } }))
    t.equal(shown[0]?.options.data.path, path)
  })

const asSubscription = (endpoint: string) => ({
  endpoint,
  toJSON: () => ({
    endpoint,
    keys: { p256dh: Buffer.alloc(65, 4).toString('base64url'), auth: Buffer.alloc(16).toString('base64url') },
  }),
})

t.test('registers a subscription that the browser has renewed', async (t) => {
  const device = aPushDevice({ isCurrent: true, label: 'Firefox on Linux' })
  const calls: { path: string; body?: unknown }[] = []
  const fetch = async (path = '', init: { body?: string } = {}) => {
    calls.push({ path, ...(init.body !== undefined && { body: JSON.parse(init.body) as unknown }) })
    return Response.json({ publicKey: 'AAAA', devices: [device] } satisfies PushState)
  }
  const { dispatch } = aWorker({ fetch })
  const [oldSubscription, newSubscription] = ['https://push.test/1', 'https://push.test/2'].map(asSubscription)
  await dispatch('pushsubscriptionchange', { oldSubscription, newSubscription })
  const put = calls.at(-1)
  t.equal(put?.path, '/api/push/devices')
  t.ok(Value.Check(RegisterPushDevice, put?.body), 'in the contract')
  t.match(put?.body, { endpoint: 'https://push.test/2', label: 'Firefox on Linux', replaces: 'https://push.test/1' })
})

t.test('does not register a renewed subscription where push is off', async (t) => {
  const calls: string[] = []
  const fetch = async (path = '') => {
    calls.push(path)
    return Response.json({ publicKey: 'AAAA', devices: [aPushDevice()] } satisfies PushState)
  }
  const { dispatch } = aWorker({ fetch })
  await dispatch('pushsubscriptionchange', { oldSubscription: asSubscription('https://push.test/1') })
  t.same(calls, ['/api/push'])
})

const photo = (name: string, bytes = 10) => new File([new Uint8Array(bytes)], name, { type: 'image/jpeg' })

/** Posts a form to the worker, by default from a page of the worker's own site. */
async function post(worker: ReturnType<typeof aWorker>, path: string, form: FormData, about: object = {}) {
  const from = { origin, destination: 'document', ...about }
  const request = { method: 'POST', url: origin + path, destination: from.destination, formData: async () => form }
  return worker.dispatch('fetch', { request: { ...request, headers: new Headers({ origin: from.origin }) } })
}

async function share(
  worker: ReturnType<typeof aWorker>,
  words: Record<string, string>,
  photos: File[] = [],
  about: object = {},
) {
  const form = new FormData()
  for (const [name, value] of Object.entries(words)) form.set(name, value)
  for (const one of photos) form.append('photos', one)
  const response = await post(worker, '/share', form, about)
  return { status: response?.status, to: response?.headers.get('location') ?? '', response }
}

// Node's `Response.redirect` requires an absolute URL.
const redirect = Response.redirect.bind(Response)
Response.redirect = (to, status) => redirect(new URL(to, origin), status)

const idIn = (to: string) => new URL(to).searchParams.get('share') ?? ''

t.test('keeps a share with its photos and opens the app with it', async (t) => {
  const worker = aWorker()
  const { status, to } = await share(worker, { text: '2019 F-150, 61k mi', title: 'WhatsApp' }, [
    photo('a.jpg'),
    photo('b.jpg'),
  ])
  t.equal(status, 303)
  const id = idIn(to)
  t.match(await (await worker.cache.match(`/share/${id}`))?.json(), {
    title: 'WhatsApp',
    text: '2019 F-150, 61k mi',
    url: '',
    photos: 2,
    left: { tooLarge: 0, tooMany: 0 },
  })
  t.equal((await worker.cache.match(`/share/${id}/1`))?.headers.get('x-name'), 'b.jpg')
})

t.test('leaves out photos beyond the limits and counts them', async (t) => {
  const worker = aWorker()
  const large = photo('large.jpg', 10 * 1024 * 1024 + 1)
  const many = Array.from({ length: 52 }, (_, index) => photo(`${index}.jpg`))
  const { to } = await share(worker, { text: 'x'.repeat(6_000) }, [large, ...many])
  const about = (await (await worker.cache.match(`/share/${idIn(to)}`))?.json()) as { text: string }
  t.match(about, { photos: 50, left: { tooLarge: 1, tooMany: 2 } })
  t.equal(about.text.length, 5_000)
})

t.test('keeps three shares, and none for more than a day', async (t) => {
  // All shares arrive in the same millisecond.
  const at = Date.now()
  t.intercept(Date, 'now', { value: () => at })
  const worker = aWorker()
  const ids = []
  for (const text of ['1', '2', '3', '4']) ids.push(idIn((await share(worker, { text }, [photo('a.jpg')])).to))
  const keptIds = () => new Set([...worker.cache.kept.keys()].map((path) => path.split('/')[2]))
  t.same(keptIds(), new Set(ids.slice(1)), 'with their photos')
  for (const path of worker.cache.kept.keys())
    if (/^\/share\/[^/]+$/.test(path)) worker.cache.kept.set(path, Response.json({ at: Date.now() - 25 * 3_600_000 }))
  const { to } = await share(worker, { text: 'new' })
  t.same(keptIds(), new Set([idIn(to)]))
})

t.test('opens the app without a share if it cannot be kept, and leaves no photos behind', async (t) => {
  const worker = aWorker()
  const { put } = worker.cache
  worker.cache.put = async (path, response) => {
    if (path.endsWith('/2')) throw new Error('The disk is full')
    await put(path, response)
  }
  const photos = ['a.jpg', 'b.jpg', 'c.jpg'].map((name) => photo(name))
  t.match(await share(worker, { text: 'x' }, photos), { status: 303, to: `${origin}/?share=none` })
  t.same([...worker.cache.kept.keys()], [])
})

t.test('deletes the photos of a share that was cut off, a day later', async (t) => {
  const worker = aWorker()
  const { put } = worker.cache
  worker.cache.put = async (path, response) => {
    if (path.endsWith('/1')) await new Promise(() => undefined)
    await put(path, response)
  }
  void share(worker, { text: 'cut off' }, [photo('a.jpg'), photo('b.jpg')])
  await until('the first photo', () => worker.cache.kept.size === 2)
  worker.cache.put = put
  const { now } = Date
  t.intercept(Date, 'now', { value: () => now() + 25 * 3_600_000 })
  const { to } = await share(worker, { text: 'later' })
  t.same([...worker.cache.kept.keys()], [`/share/${idIn(to)}`])
})

t.test('refuses a form of another site, or in a frame', async (t) => {
  const worker = aWorker()
  for (const about of [{ origin: 'https://evil.test' }, { origin: 'null', destination: 'iframe' }])
    t.match(await share(worker, { text: 'x' }, [], about), { status: 303, to: `${origin}/?share=none` })
  t.same([...worker.cache.kept.keys()], [])
})

t.test('asks before it stores a share without an origin, as the menu of a phone sends it', async (t) => {
  const worker = aWorker()
  const { response } = await share(worker, { text: '<b>Truck</b>' }, [photo('a.jpg')], { origin: 'null' })
  const html = (await response?.text()) ?? ''
  t.equal(response?.status, 200)
  t.match(response?.headers.get('content-security-policy'), /default-src 'none'.*frame-ancestors 'none'/)
  t.match(html, /&#60;b&#62;Truck/)
  t.match(html, '1 photo<')
  t.same([...worker.cache.kept.keys()], [], 'nothing is stored before the answer')
  const yes = new FormData()
  yes.set('id', /value="([^"]+)"/.exec(html)?.[1] ?? '')
  t.match((await post(worker, '/share/accept', yes, { origin: 'null' }))?.headers.get('location'), /share=none$/)
  const accepted = await post(worker, '/share/accept', yes)
  const id = idIn(accepted?.headers.get('location') ?? '')
  t.match(await (await worker.cache.match(`/share/${id}`))?.json(), { text: '<b>Truck</b>', photos: 1 })
  t.match((await post(worker, '/share/accept', yes))?.headers.get('location'), /share=none$/, 'once')
})

t.test('keeps shares when a new worker takes over', async (t) => {
  const { dispatch, deleted } = aWorker()
  await dispatch('activate', {})
  t.same(deleted, ['lanewire-offline-0'])
})

function someTabs(...paths: string[]) {
  const heard: unknown[] = []
  const tabs = paths.map((path) => ({
    url: origin + path,
    focus: () => void heard.push(`${path} in front`),
    postMessage: (message: unknown) => void heard.push(message),
  }))
  return { tabs, heard }
}

t.test('opens a pressed notification in the tab used last, or in a new one', async (t) => {
  const { tabs, heard } = someTabs('/', '/deals')
  const open = aWorker({ tabs })
  await open.press('/post/1')
  t.same([heard, open.opened], [['/ in front', { pressed: '/post/1' }], []])
  const closed = aWorker()
  await closed.press('/post/1')
  t.same(closed.opened, ['/post/1'])
})

t.test('does not reuse tabs of the job board or files', async (t) => {
  const deaf = ['/admin/queues/board', '/admin/queues/board/queue/mail', '/objects/4711', '/favicon.svg']
  const { tabs, heard } = someTabs(...deaf, '/messages')
  const beside = aWorker({ tabs })
  await beside.press('/post/1')
  t.same([heard.splice(0), beside.opened], [['/messages in front', { pressed: '/post/1' }], []])
  const alone = aWorker({ tabs: tabs.slice(0, deaf.length) })
  await alone.press('/post/1')
  t.same([heard, alone.opened], [[], ['/post/1']])
})
