import { becomes, show } from '#tests/support/screen.tsx'
import { useInfiniteQuery } from '@tanstack/react-query'
import { act, fireEvent, waitFor } from '@testing-library/react'
import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { messagingStore } from '#client/features/messaging/messaging.store.ts'
import { openPressedChats } from '#client/features/messaging/open-chat-with.ts'
import { messageClient, startMessaging } from '#client/features/messaging/sync/current-client.ts'
import { NoticeMenu } from '#client/features/messaging/messaging-notice-menu.tsx'
import { setNoticePreference, wakeNoticeSound } from '#client/features/messaging/sync/notices.ts'
import { notificationsQuery } from '#client/features/notifications/notifications.api.ts'
import { NotificationsWatch } from '#client/features/notifications/notifications-watch.tsx'
import { PushCards } from '#client/features/push/push-cards.tsx'
import { followNotice } from '#client/lib/screen/desktop-notices.ts'
import { storedPush } from '#client/lib/push-device.ts'
import { tab } from '#client/lib/storage/tab-state.ts'
import { type Notification, NotificationsPage } from '#shared/schemas/notifications.ts'
import { Chat, type ChatParticipant, type Message } from '#shared/schemas/messaging.ts'
import { chooseAct, says } from '#tests/support/controls.ts'
import { aCurrentUser } from '#tests/support/records.ts'
import { answer, fakeNetwork, http, refusal } from '#tests/support/network.ts'
import { aQueryClient } from '#tests/support/query-cache.ts'

interface Shown {
  title: string
  by: 'page' | 'worker'
  body?: string
  path: string
  press: () => void
}

interface BrowserOptions {
  permission?: NotificationPermission
  /** On phones, a page cannot show a notification itself; only the service worker can. */
  pageThrows?: boolean
  worker?: 'shows' | 'refuses' | 'none'
  ask?: (tell: (permission: NotificationPermission) => void) => Promise<NotificationPermission> | undefined
}

function aBrowser(t: Test, { permission = 'granted', pageThrows = false, worker = 'none', ask }: BrowserOptions) {
  const shown: Shown[] = []
  class PageNotice extends window.EventTarget {
    static readonly permission = permission
    static readonly requestPermission = ask
    constructor(title: string, { body, data }: { body: string; data: { path: string } }) {
      super()
      if (pageThrows)
        throw new TypeError('Illegal constructor. Use ServiceWorkerRegistration.showNotification() instead.')
      shown.push({ title, body, by: 'page', path: data.path, press: () => this.dispatchEvent(new Event('click')) })
    }
    close() {}
  }
  const registration = {
    active: {},
    showNotification: async (title: string, { data }: { data: { path: string } }) => {
      if (worker === 'refuses') throw new TypeError('No notification permission has been granted for this origin.')
      shown.push({ title, by: 'worker', path: data.path, press: () => followNotice(data.path) })
    },
  }
  const parts = [
    [window, 'Notification', PageNotice],
    [globalThis, 'Notification', PageNotice],
    [window, 'focus', () => undefined],
    [document, 'hidden', true],
    [navigator, 'serviceWorker', { getRegistration: async () => (worker === 'none' ? undefined : registration) }],
  ] as const
  for (const [owner, name, value] of parts) t.intercept(owner as object, name as never, { configurable: true, value })
  t.teardown(() => {
    window.history.replaceState(null, '', '/')
    localStorage.clear()
  })
  return shown
}

const aNotification = (id: string, about: Partial<Notification> = {}): Notification => ({
  id,
  kind: 'comment',
  title: 'Luis Herrera commented',
  body: 'Is it still there?',
  path: '/post/1',
  createdAt: '2026-11-20T10:00:00.000Z',
  read: false,
  push: true,
  actor: null,
  ...about,
})

function UnreadPage() {
  const { data } = useInfiniteQuery(notificationsQuery())
  return <p>{data?.pages[0]?.unread} unread</p>
}

async function hearNotification(t: Test, isListed = true, me = aCurrentUser()) {
  const [older, newer] = [1, 2].map((n) => aNotification(`0190a5d0-0000-7000-8000-00000000000${n}`)) as [
    Notification,
    Notification,
  ]
  const items = [older]
  let latestPush = older
  fakeNetwork(t).use(
    http.get('*/api/notifications', () =>
      answer(NotificationsPage, { items, unread: items.length, more: false, latestPush }),
    ),
  )
  const { cache, findByText } = show(
    t,
    <>
      <NotificationsWatch />
      <UnreadPage />
    </>,
    me,
  )
  await findByText('1 unread')
  if (isListed) items.unshift(newer)
  latestPush = newer
  await act(() => cache.invalidateQueries({ queryKey: notificationsQuery().queryKey }))
  t.ok(await findByText(`${items.length} unread`), 'the page stays')
}

/** Shows the push settings for a server with push turned off, where only open tabs can show notifications. */
function openCard(t: Test) {
  fakeNetwork(t).use(http.get('*/api/push', () => refusal(404, 'Not found')))
  return show(t, <PushCards />)
}

async function openTab(t: Test) {
  const [me, other] = ['Dana Torres', 'Marcus Webb'].map((one) => ({
    id: randomUUID(),
    name: one,
    avatar: null,
    dealershipName: `${one} Motors`,
  })) as [ChatParticipant, ChatParticipant]
  t.teardown(startMessaging(me.id, aQueryClient()))
  const chat = aChat(me, other)
  messageClient().data.receiveChats([chat])
  t.teardown(openPressedChats())
  await setNoticePreference({ sound: false, desktop: true })
  return { me, chat }
}

const createdAt = '2026-11-20T10:00:00.000Z'

const aChat = (me: ChatParticipant, other: ChatParticipant): Chat => ({
  id: randomUUID(),
  participants: [me, other],
  messages: [],
  lastActivity: createdAt,
  createdAt,
  unreadCount: 0,
  rev: 0,
  lastSeq: 0,
  readSeq: 0,
  otherReadSeq: null,
  muted: false,
  blocked: false,
  context: null,
})

function hear({ id: chatId, participants }: Chat, about: Partial<Message> = {}) {
  const message: Message = {
    id: randomUUID(),
    seq: 1,
    rev: 1,
    clientId: randomUUID(),
    senderId: participants[1]!.id,
    content: 'Is the reserve met?',
    createdAt,
    attachmentUrl: null,
    attachmentName: null,
    ...about,
  }
  messageClient().receive({ chatId, rev: 1, seq: 1, message })
}

async function hearMessage(t: Test, about?: Partial<Message>) {
  const { chat } = await openTab(t)
  hear(chat, about)
  return chat
}

async function soon(shown: Shown[]): Promise<Shown> {
  await waitFor(() => shown.length > 0 || fail('no notice'))
  return shown[0]!
}

function fail(why: string): never {
  throw new Error(why)
}

for (const [browser, options, by] of [
  ['a desktop without a worker', {}, 'page'],
  ['a desktop with a worker', { worker: 'shows' }, 'worker'],
  ['a phone', { worker: 'shows', pageThrows: true }, 'worker'],
  ['a desktop whose worker refuses', { worker: 'refuses' }, 'page'],
] as const) {
  t.test(`shows a notification in ${browser} and opens its target on click`, async (t) => {
    const shown = aBrowser(t, options)
    await hearNotification(t)
    const { press, ...told } = await soon(shown)
    t.match(told, { title: 'Luis Herrera commented', by, path: '/post/1' })
    act(press)
    t.equal(window.location.pathname, '/post/1')
  })

  t.test(`shows a message in ${browser} and opens its chat window on click`, async (t) => {
    const shown = aBrowser(t, { ...options, ask: async () => 'granted' as const })
    const chat = await hearMessage(t)
    const { press, title, by: shownBy } = await soon(shown)
    t.same([title, shownBy], ['Marcus Webb', by])
    press()
    t.same(
      messagingStore.get().windows.map(({ chatId }) => chatId),
      [chat.id],
    )
    t.equal(window.location.pathname, '/', 'in the dock')
  })
}

t.test('shows notifications that are sent to the browser only', async (t) => {
  const shown = aBrowser(t, {})
  await hearNotification(t, false)
  t.match(await soon(shown), { title: 'Luis Herrera commented' })
})

t.test('shows the first message of a new contact however slowly the chat loads', async (t) => {
  const shown = aBrowser(t, { ask: async () => 'granted' as const })
  const { me, chat } = await openTab(t)
  const someone = { ...me, id: randomUUID(), name: 'Priya Shah' }
  const unknown = aChat(me, someone)
  let release = () => {}
  const wait = new Promise<void>((resolve) => (release = resolve))
  fakeNetwork(t).use(
    http.get(`*/api/chats/${unknown.id}`, () => wait.then(() => answer(Chat, { ...unknown, lastSeq: 1, rev: 1 }))),
  )
  hear(unknown)
  hear(chat)
  await becomes(t, () => shown.map(({ title }) => title), ['Marcus Webb'])
  release()
  await becomes(t, () => shown.map(({ title }) => title), ['Marcus Webb', 'Priya Shah'])
})

t.test('shows no notice of its own in a browser whose device receives push', async (t) => {
  const shown = aBrowser(t, { ask: async () => 'granted' as const })
  const me = aCurrentUser()
  storedPush.write({ session: 'session-1', endpoint: 'https://push.test/1' }, me.id)
  await hearNotification(t, true, me)
  const { chat, me: reader } = await openTab(t)
  storedPush.write({ session: 'session-1', endpoint: 'https://push.test/1' }, reader.id)
  const id = randomUUID()
  hear(chat, { id })
  await becomes(t, () => localStorage.getItem('lanewire.noticed')?.includes(id), true)
  t.same(shown, [])
})

t.test('names the file in a message without text', async (t) => {
  const shown = aBrowser(t, { ask: async () => 'granted' as const })
  await hearMessage(t, { content: '', attachmentUrl: '/api/objects/1', attachmentName: 'title.pdf' })
  t.match(await soon(shown), { title: 'Marcus Webb', body: 'title.pdf' })
})

t.test('keeps bell and page working if the browser cannot show notifications', async (t) => {
  const shown = aBrowser(t, { pageThrows: true, worker: 'refuses' })
  await hearNotification(t)
  t.same(shown, [])
})

t.test('opens an unknown chat as a page', (t) => {
  aBrowser(t, {})
  t.teardown(openPressedChats())
  followNotice('/messages?chat=1')
  t.equal(window.location.pathname + window.location.search, '/messages?chat=1')
  t.end()
})

for (const [browser, ask] of [
  ['answers', async () => 'granted' as const],
  [
    'calls back',
    (tell) => {
      tell('granted')
      return undefined
    },
  ],
] as const satisfies readonly (readonly [string, BrowserOptions['ask']])[])
  t.test(`asks for permission on click in a browser that ${browser}`, async (t) => {
    aBrowser(t, { permission: 'default', ask })
    const { findByRole, findByText } = openCard(t)
    fireEvent.click(await findByRole('button', { name: 'Allow' }))
    await findByText('Notifications appear while Lanewire is open in the background.')
    t.same(await setNoticePreference({ sound: false, desktop: true }), { sound: false, desktop: true })
  })

for (const [browser, ask] of [
  [
    'throws',
    () => {
      throw new TypeError('Not in this frame')
    },
  ],
  ['refuses', () => Promise.reject(new TypeError('Not without a press'))],
  ['has no way to ask', undefined],
] as const satisfies readonly (readonly [string, BrowserOptions['ask']])[])
  t.test(`keeps the permission as it was in a browser that ${browser}`, async (t) => {
    aBrowser(t, { permission: 'default', ...(ask && { ask }) })
    const { findByRole, getByText } = openCard(t)
    fireEvent.click(await findByRole('button', { name: 'Allow' }))
    t.same(await setNoticePreference({ sound: true, desktop: true }), { sound: true, desktop: false })
    t.ok(getByText('Notifications are not set up in this browser.'))
  })

t.test('says if the browser does not support notifications', async (t) => {
  const { findByText, queryByRole } = openCard(t)
  t.ok(await findByText(/^This browser cannot show notifications/))
  t.equal(queryByRole('button'), null)
})

t.test("explains at the chat's switch what an iPhone needs first", async (t) => {
  t.teardown(() => localStorage.clear())
  show(t, <NoticeMenu />)
  await chooseAct('Message alerts', 'Turn desktop notifications on')
  await says(/choose Add to Home Screen first/)
})

t.test('plays sounds with one audio context, resumed by a click', async (t) => {
  const made: { state: string; resume: () => Promise<void> }[] = []
  class Sound {
    state = 'suspended'
    constructor() {
      made.push(this)
    }
    async resume() {
      this.state = 'running'
    }
  }
  Object.defineProperty(globalThis, 'AudioContext', { configurable: true, value: Sound })
  t.teardown(() => {
    Reflect.deleteProperty(globalThis, 'AudioContext')
    localStorage.clear()
    tab.sound = undefined
  })
  t.teardown(wakeNoticeSound())
  fireEvent.click(document.body)
  t.same(made, [], 'none while sounds are off')
  await setNoticePreference({ sound: true, desktop: false })
  t.same(
    made.map(({ state }) => state),
    ['running'],
  )
  for (const context of made) context.state = 'interrupted'
  fireEvent.keyDown(document.body, { key: 'a' })
  t.same(
    made.map(({ state }) => state),
    ['running'],
    'such as after a phone call',
  )
})
