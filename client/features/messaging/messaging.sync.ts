import { connectionState, type LiveSocket } from '#client/lib/connection.ts'
import { messagesPerWindow } from '#shared/limits.ts'
import { catchUp, hasGap, isFarBehind, reload } from './chat-stream.ts'
import { countAgain, loadChats, refresh } from './chat-list.ts'
import { fetchChat, fetchHeads, fetchMessages } from './messaging.api.ts'
import { isParked, messagingStore, receiveChats, receiveRead, stepStream } from './messaging.store.ts'
import { tellReads } from './messaging.reads.ts'
import { workAll } from './messaging.outbox.ts'

/** What is beyond a gap waits this long for the missing event before it is asked for. */
const gapMs = 250
const pageSize = 200
const pollMs = 30_000
const auditMs = 120_000
/** The server compares so many: its most recently active ones. */
const vectorMax = 50
/** More chats than this that nobody here knows are loaded as a list. */
const unknownMax = 3

const filling = new Map<string, Promise<void>>()
const gapTimers = new Map<string, ReturnType<typeof setTimeout>>()

/** After an event that left a gap: the missing one may be right behind. */
export function watchGap(chatId: string): void {
  const stream = messagingStore.get().streams[chatId]
  if (stream === undefined || !hasGap(stream) || gapTimers.has(chatId)) return
  gapTimers.set(
    chatId,
    setTimeout(() => {
      gapTimers.delete(chatId)
      const now = messagingStore.get().streams[chatId]
      if (now !== undefined && hasGap(now)) void fill(chatId)
    }, gapMs),
  )
}

/** Brings a chat up to date, once at a time. A failure leaves the gap for the next greeting or poll. */
export function fill(chatId: string): Promise<void> {
  const known = filling.get(chatId)
  if (known !== undefined) return known
  const run = fillOnce(chatId)
    .catch(() => undefined)
    .finally(() => filling.delete(chatId))
  filling.set(chatId, run)
  return run
}

async function fillOnce(chatId: string): Promise<void> {
  for (;;) {
    const { streams, scrolledUp } = messagingStore.get()
    const stream = streams[chatId]
    if (stream === undefined) {
      receiveChats([await fetchChat(chatId)])
      countAgain()
      return
    }
    if (isParked(chatId)) return
    const page = await fetchMessages(chatId, { afterRev: stream.cursor, limit: pageSize })
    if (page.more && isFarBehind(stream, page.lastSeq)) {
      // Whoever is scrolled up keeps what they read; the newest page comes when they are back.
      if (scrolledUp[chatId] !== undefined) return
      const newest = await fetchMessages(chatId, { limit: messagesPerWindow })
      stepStream(chatId, (now) => reload(now, newest))
      return
    }
    stepStream(chatId, (now) => catchUp(now, page))
    if (!page.more) return
  }
}

/** A reader who was far up in a chat is back at its end. */
export function fillIfBehind(chatId: string): void {
  const { chats, streams } = messagingStore.get()
  if ((streams[chatId]?.cursor ?? 0) < (chats[chatId]?.rev ?? 0)) void fill(chatId)
}

function vector(): Record<string, number> {
  const { chats, streams } = messagingStore.get()
  const recent = Object.values(chats)
    .toSorted((a, b) => b.lastActivity.localeCompare(a.lastActivity))
    .slice(0, vectorMax)
  return Object.fromEntries(recent.map(({ id }) => [id, streams[id]?.cursor ?? 0]))
}

/** At every greeting: what moved meanwhile, what waits to be sent, and what was read elsewhere. */
export function greet(socket: LiveSocket): void {
  workAll()
  tellReads()
  compare(socket)
  for (const { chatId } of messagingStore.get().windows) void refresh(chatId)
  void audit()
}

/** Asks which chats moved. Before the first load there is nothing to compare: it is asked for right after it. */
export function compare(socket: LiveSocket | undefined): void {
  const { dealerId, hasLoaded } = messagingStore.get()
  if (dealerId === '' || !hasLoaded || socket?.connected !== true) return
  socket.emit('sync', { dealer: 0, chats: vector() }, (answer) => {
    if (!answer.ok) return
    const stale = Object.keys(answer.data.chats ?? {})
    const unknown = stale.filter((chatId) => messagingStore.get().chats[chatId] === undefined)
    if (answer.data.more === true || unknown.length > unknownMax) void reloadAll()
    else for (const chatId of stale) void fill(chatId)
  })
}

async function reloadAll(): Promise<void> {
  try {
    await loadChats()
  } catch {
    // The next greeting or poll asks again.
  }
}

/** Compares every number that the server has with what is held here. */
async function audit(): Promise<void> {
  const { dealerId } = messagingStore.get()
  if (dealerId === '') return
  try {
    const heads = await fetchHeads()
    for (const [chatId, rev, , readSeq] of heads.chats) {
      const { streams, chats } = messagingStore.get()
      if ((streams[chatId]?.cursor ?? -1) < rev) await fill(chatId)
      if ((chats[chatId]?.readSeq ?? readSeq) < readSeq) receiveRead({ chatId, dealerId, seq: readSeq })
    }
  } catch {
    // Asked again by the timer.
  }
}

/** Polls while the socket is down (30 s ± 20 %) and audits while it is up (120 s). Answers how to stop. */
export function startPolling(): () => void {
  let timer: ReturnType<typeof setTimeout>
  const plan = () => {
    const every = connectionState() === 'live' ? auditMs : pollMs
    timer = setTimeout(
      () => {
        void audit().finally(plan)
        if (connectionState() !== 'live') workAll()
      },
      every * (0.8 + Math.random() * 0.4), // jitter
    )
  }
  plan()
  return () => clearTimeout(timer)
}
