import { becomes, show } from '#tests/support/screen.tsx'
import { act, fireEvent, screen } from '@testing-library/react'
import { useRef, useState } from 'react'
import t, { type Test } from 'tap'
import Type from 'typebox'
import { unreadTotal, useChat, useChats } from '#client/features/messaging/use-chats.ts'
import { MessageDialog } from '#client/features/messaging/message-dialog.tsx'
import { DealerRow } from '#client/features/messaging/chat-list-rows.tsx'
import { messagingStore } from '#client/features/messaging/messaging.store.ts'
import { openChatWith, showOwnChat } from '#client/features/messaging/open-chat-with.ts'
import { messageClient, startMessaging } from '#client/features/messaging/sync/current-client.ts'
import { MessagingComposer } from '#client/features/messaging/thread/composer.tsx'
import { MessagingLog } from '#client/features/messaging/thread/thread-log.tsx'
import { setServerTime } from '#client/lib/live/connection.ts'
import { MessagesPage } from '#client/pages/messages.tsx'
import { formatTime } from '#client/ui/format.ts'
import { RelativeTime } from '#client/ui/relative-time.tsx'
import { messagesPerWindow } from '#shared/limits.ts'
import { CurrentUser } from '#shared/schemas/dealers.ts'
import { Chat, type Message, Message as MessageSchema, MessagesPage as Page } from '#shared/schemas/messaging.ts'
import { fill, press, textIn } from '#tests/support/controls.ts'
import { answer, fakeNetwork, http, HttpResponse } from '#tests/support/network.ts'
import { aCurrentUser } from '#tests/support/records.ts'
import { stopTime } from '#tests/support/stopped-time.ts'
import { aQueryClient } from '#tests/support/query-cache.ts'

const me = aCurrentUser()
const otherId = '0190a5d0-0000-7000-8000-0000000000aa'
const chatId = '0190a5d0-0000-7000-8000-0000000000bb'
const idOf = (n: number) => `0190a5d0-0000-7000-8000-${String(n).padStart(12, '0')}`

const aMessage = (seq: number, about: Partial<Message> = {}): Message => ({
  id: idOf(seq),
  seq,
  rev: seq,
  senderId: otherId,
  content: `No ${seq}`,
  createdAt: new Date(Date.parse('2026-11-20T10:00:00.000Z') + seq * 1_000).toISOString(),
  clientId: idOf(seq),
  attachmentUrl: null,
  attachmentName: null,
  ...about,
})

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

function Log() {
  const chat = useChat(chatId)
  return chat === undefined ? null : <MessagingLog chat={chat} />
}

function Unread() {
  return <p>{useChats(unreadTotal)} unread</p>
}

const aChat = (stored: Message[], about: Partial<Chat> = {}): Chat => ({
  id: chatId,
  participants: [me.id, otherId].map((id) => ({ id, name: id, avatar: null, dealershipName: '' })),
  messages: stored.slice(-messagesPerWindow),
  unreadCount: 0,
  lastActivity: stored.at(-1)?.createdAt ?? '',
  createdAt: '2026-11-20T10:00:00.000Z',
  rev: Math.max(...stored.map(({ rev }) => rev)),
  lastSeq: stored.at(-1)?.seq ?? 0,
  readSeq: stored.at(-1)?.seq ?? 0,
  otherReadSeq: null,
  muted: false,
  blocked: false,
  context: null,
  ...about,
})

/** Opens a chat with these messages. The fake server paginates like the real server. */
async function openLog(t: Test, stored: Message[]) {
  const chat = aChat(stored)
  const { lastSeq } = chat
  const asked: string[] = []
  const pageOf = (params: URLSearchParams): Pick<Page, 'messages' | 'more' | 'rev'> => {
    const number = (name: string) => Number(params.get(name) ?? '0')
    const limit = number('limit')
    if (params.has('afterRev')) {
      const after = stored.filter(({ rev }) => rev > number('afterRev')).toSorted((a, b) => a.rev - b.rev)
      const messages = after.slice(0, limit)
      const more = after.length > limit
      return { messages, more, rev: more ? messages.at(-1)!.rev : chat.rev }
    }
    if (params.has('aroundSeq')) {
      const place = stored.findIndex(({ seq }) => seq >= number('aroundSeq'))
      const start = Math.max(0, place - limit / 2)
      return { messages: stored.slice(start, start + limit), more: start > 0, rev: chat.rev }
    }
    const before = stored.filter(({ seq }) => seq < number('beforeSeq'))
    return { messages: before.slice(-limit), more: before.length > limit, rev: chat.rev }
  }
  fakeNetwork(t).use(
    http.get(`*/api/chats/${chatId}/messages`, ({ request }) => {
      const { search, searchParams } = new URL(request.url)
      asked.push(search)
      return answer(Page, { ...pageOf(searchParams), lastSeq })
    }),
    // The chat marks new messages on screen as read, so these calls need responses.
    http.get('*/api/auth/me', () => answer(CurrentUser, me)),
    http.put(`*/api/chats/${chatId}/read`, () => new HttpResponse(null, { status: 204 })),
  )
  const screen = show(t, <Log />, me)
  t.teardown(startMessaging(me.id, screen.cache))
  act(() => messageClient().data.receiveChats([chat]))
  const log = await screen.findByRole('log')
  const texts = () => [...log.querySelectorAll('[data-seq]')].map((row) => Number(row.getAttribute('data-seq')))
  return { ...screen, asked, texts }
}

t.test('requests once the few messages left of a chat whose history was deleted', async (t) => {
  const { asked, texts, queryByRole } = await openLog(
    t,
    range(35, 40).map((seq) => aMessage(seq)),
  )
  await becomes(t, () => queryByRole('button', { name: 'Load earlier' }), null)
  t.same(texts(), range(35, 40))
  act(() => messageClient().receive({ chatId, rev: 41, seq: 41, message: aMessage(41) }))
  await becomes(t, texts, range(35, 41))
  t.same(asked, ['?beforeSeq=35&limit=20'])
})

t.test('loads messages before a deleted stretch, then shows the beginning', async (t) => {
  const { asked, texts, findByRole, queryByRole } = await openLog(
    t,
    [5, ...range(41, 60)].map((seq) => aMessage(seq)),
  )
  t.same(texts(), range(41, 60))
  fireEvent.click(await findByRole('button', { name: 'Load earlier' }))
  await becomes(t, texts, [5, ...range(41, 60)])
  t.equal(queryByRole('button', { name: 'Load earlier' }), null)
  t.same(asked, ['?beforeSeq=41&limit=20'])
})

t.test('returns to the newest messages from far up, whatever changed there', async (t) => {
  const last = 1_000
  const stored = range(1, last).map((seq) =>
    aMessage(seq, seq === 250 ? { rev: last + 1, content: '', hidden: true } : {}),
  )
  const { texts, findByRole } = await openLog(t, stored)
  act(() => messagingStore.set((state) => void (state.wantedSeq[chatId] = 300)))
  await becomes(t, () => texts().includes(300), true)
  t.notOk(texts().includes(last))
  fireEvent.click(await findByRole('button', { name: 'Newest' }))
  await becomes(t, texts, range(last - messagesPerWindow + 1, last))
})

t.test("names each message's author for screen readers", async (t) => {
  const { texts, getByRole } = await openLog(t, [aMessage(1), aMessage(2, { senderId: me.id })])
  await becomes(t, texts, [1, 2])
  const waits = { clientId: idOf(3), chatId, content: 'No 3', createdAt: '2026-11-20T10:01:00.000Z', order: 3 }
  act(() => messagingStore.set((state) => void state.pending.push({ ...waits, state: 'sending' })))
  await becomes(t, () => getByRole('log').textContent?.includes('No 3'), true)
  t.match(getByRole('log').textContent, new RegExp(`${otherId}: No 1.*You: No 2.*You: No 3`))
})

t.test('returns to the list when a chat is closed, without the chat in the history', async (t) => {
  fakeNetwork(t).use(
    http.get('*/api/chats', () => answer(Type.Array(Chat), [aChat([aMessage(1)])])),
    http.get(`*/api/chats/${chatId}/messages`, () =>
      answer(Page, { messages: [aMessage(1)], more: false, rev: 1, lastSeq: 1 }),
    ),
  )
  const { cache, history, findByRole, queryByRole } = show(t, <MessagesPage />, me, `/messages?chat=${chatId}`)
  t.teardown(startMessaging(me.id, cache))
  act(() => messageClient().data.receiveChats([aChat([aMessage(1)])]))
  const back = { name: 'Back to conversations' }
  fireEvent.click(await findByRole('button', back))
  await becomes(t, () => queryByRole('button', back), null)
  t.same(history, ['/messages'])
})

t.test('keeps a new chat that starts while an older list is loading', async (t) => {
  let release = () => {}
  const wait = new Promise<void>((resolve) => (release = resolve))
  fakeNetwork(t).use(
    http.get('*/api/chats', () => wait.then(() => answer(Type.Array(Chat), []))),
    http.get(`*/api/chats/${chatId}`, () => answer(Chat, aChat([aMessage(1)], { readSeq: 0, unreadCount: 1 }))),
  )
  const { cache, getByText } = show(t, <Unread />, me)
  t.teardown(startMessaging(me.id, cache))
  const loading = messageClient().chats.load()
  act(() => messageClient().receive({ chatId, rev: 1, seq: 1, message: aMessage(1) }))
  await becomes(t, () => getByText(/unread/).textContent, '1 unread')
  release()
  await act(() => loading)
  t.match(messageClient().data.chat(chatId), { unreadCount: 1 })
})

t.test('does not open a chat that loads after a log-out', async (t) => {
  const { pathname } = window.location
  t.teardown(() => window.history.replaceState(null, '', pathname))
  window.history.replaceState(null, '', '/login')
  let asked = 0
  let release = () => {}
  let wait = Promise.resolve()
  const late = async () => {
    asked += 1
    await wait
    return answer(Chat, aChat([aMessage(1)]))
  }
  fakeNetwork(t).use(http.post('*/api/chats', late), http.get(`*/api/chats/${chatId}`, late))
  for (const open of [
    () => openChatWith(otherId, { page: true }),
    () => openChatWith(otherId),
    () => showOwnChat(chatId),
  ]) {
    wait = new Promise<void>((resolve) => (release = resolve))
    asked = 0
    const stop = startMessaging(me.id, aQueryClient())
    const opening = open()
    await becomes(t, () => asked, 1)
    stop()
    const stopNext = startMessaging('another dealer', aQueryClient())
    release()
    await opening
    t.equal(window.location.pathname, '/login')
    t.same(messagingStore.get().windows, [])
    stopNext()
  }
})

t.test('does not open a chat that loads after its page was left', async (t) => {
  const { pathname } = window.location
  t.teardown(() => window.history.replaceState(null, '', pathname))
  let release = () => {}
  const wait = new Promise<void>((resolve) => (release = resolve))
  let asked = 0
  fakeNetwork(t).use(
    http.post('*/api/chats', async () => {
      asked += 1
      await wait
      return answer(Chat, aChat([aMessage(1)]))
    }),
  )
  t.teardown(startMessaging(me.id, aQueryClient()))
  window.history.replaceState(null, '', '/dealers')
  const opening = openChatWith(otherId, { page: true })
  await becomes(t, () => asked, 1)
  window.history.replaceState(null, '', '/find')
  release()
  await opening
  t.equal(window.location.pathname, '/find')
  window.history.replaceState(null, '', '/dealers')
  await openChatWith(otherId, { page: true })
  t.equal(window.location.pathname, '/messages')
})

t.test("shows relative times by the server's clock and keeps them current", (t) => {
  const time = stopTime(t, { apis: ['setInterval', 'Date'], now: Date.parse('2026-11-20T14:00:00.000Z') })
  // Set the server's time two hours ahead of the local clock.
  setServerTime('2026-11-20T16:00:30.000Z')
  const times = ['2026-11-20T16:00:00.000Z', '2026-11-20T15:30:00.000Z'] as const
  const { container } = show(
    t,
    times.map((at) => (
      <p key={at}>
        <DealerRow dealer={{ name: 'Webb', avatar: null }} detail="" at={at} onPick={() => undefined} />
        <RelativeTime iso={at} />
      </p>
    )),
    me,
  )
  const shown = () => [...container.querySelectorAll('time')].map(({ textContent }) => textContent)
  t.same(shown(), ['now', 'now', formatTime(times[1]), '30 min ago'])
  act(() => time.tick(60_000))
  t.same(shown(), [formatTime(times[0]), '1 min ago', formatTime(times[1]), '31 min ago'])
  t.end()
})

function openPopup(t: Test) {
  let open = () => {}
  const opened = new Promise<void>((resolve) => (open = resolve))
  const [asked, sentTo]: [string[], string[]] = [[], []]
  fakeNetwork(t).use(
    http.get('*/api/auth/me', () => answer(CurrentUser, me)),
    http.post('*/api/chats', async () => {
      asked.push('open')
      await opened
      return answer(Chat, aChat([aMessage(1)]))
    }),
    http.post('*/api/messages', () => {
      sentTo.push(chatId)
      return answer(MessageSchema, aMessage(2, { senderId: me.id }))
    }),
  )
  function Popup() {
    const [name, setName] = useState<string>()
    if (name === undefined)
      return ['Ann', 'Ben'].map((one) => (
        <button key={one} type="button" onClick={() => setName(one)}>
          {`Write to ${one}`}
        </button>
      ))
    return (
      <>
        <MessageDialog dealer={{ id: otherId, name }} open onOpenChange={(stays) => !stays && setName(undefined)} />
        <button type="button" onClick={() => setName(undefined)}>
          Leave
        </button>
      </>
    )
  }
  const { cache } = show(t, <Popup />, me)
  t.teardown(startMessaging(me.id, cache))
  const writeToAnn = async () => {
    await press('Write to Ann')
    fill('Message to Ann', 'Is it still there?')
    await press('Send Message')
  }
  return { asked, sentTo, writeToAnn, open: () => open() }
}

t.test("does not close another message's draft when an earlier one is sent late", async (t) => {
  const { asked, sentTo, writeToAnn, open } = openPopup(t)
  await writeToAnn()
  await becomes(t, () => asked.length, 1)
  fireEvent.click(screen.getByRole('button', { name: 'Leave', hidden: true }))
  await press('Write to Ben')
  fill('Message to Ben', 'Half a sentence')
  open()
  await becomes(t, () => sentTo.length, 1)
  t.equal(textIn('Message to Ben'), 'Half a sentence')
})

for (const [way, giveUp] of [
  ['Cancel', () => press('Cancel')],
  ['Escape', () => fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' })],
] as const)
  t.test(`does not send a message cancelled by ${way} while its chat is opening`, async (t) => {
    const { asked, sentTo, writeToAnn, open } = openPopup(t)
    await writeToAnn()
    await becomes(t, () => asked.length, 1)
    await giveUp()
    await press('Write to Ben')
    open()
    fill('Message to Ben', 'Are you there?')
    await press('Send Message')
    await becomes(t, () => asked.length, 2)
    await becomes(t, () => sentTo.length, 1)
    await becomes(t, () => messagingStore.get().pending, [])
  })

function Composer() {
  const chat = useChat(chatId)
  const box = useRef<HTMLTextAreaElement>(null)
  return chat === undefined ? null : <MessagingComposer chat={chat} box={box} />
}

t.test('attaches a pasted picture, but pastes cells of a spreadsheet as text', async (t) => {
  const { cache } = show(t, <Composer />, me)
  t.teardown(startMessaging(me.id, cache))
  act(() => messageClient().data.receiveChats([aChat([])]))
  const attached = t.capture(messageClient().attachments, 'attach', () => undefined)
  const box = await screen.findByRole('textbox')
  const picture = new File(['x'], 'image.png', { type: 'image/png' })
  const paste = (data: Record<string, string>) =>
    fireEvent.paste(box, {
      clipboardData: {
        files: [picture],
        types: [...Object.keys(data), 'Files'],
        getData: (type: string) => data[type] ?? '',
      },
    })
  const cells = {
    'text/plain': '1FTEW1EP5MKD12345\t$30,000',
    'text/html': '<td>1FTEW1EP5MKD12345</td><td>$30,000</td>',
  }
  t.ok(paste(cells), 'the browser inserts the text')
  t.same(attached.args(), [])
  const pictures = {
    screenshot: {},
    file: { 'text/plain': 'image.png' },
    image: { 'text/html': '<img src="image.png">' },
  }
  for (const [what, data] of Object.entries(pictures)) {
    t.notOk(paste(data), what)
    t.same(attached.args(), [[chatId, picture]], what)
  }
})
