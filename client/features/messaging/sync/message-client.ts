import type { ChatMessageEvent } from '#shared/events/messaging.ts'
import { type Attachments, createAttachments } from '../thread/attachments.ts'
import { ChatData } from './chat-data.ts'
import { createNotices } from './notices.ts'
import { type AccountCheck, createAccountCheck, Outbox } from './outbox.ts'
import type { ClientParts, Clock, MessageClientParts, TabNews } from './parts.ts'
import { createReads, createTyping, type Reads, type Typing } from './signals.ts'
import { type Chats, createChats, Sync } from './sync.ts'

const pollMs = 30_000
const auditMs = 120_000

/** A clock whose timers can all be called off at once. */
function createTimers(clock: Clock) {
  const callOffs = new Set<() => void>()
  const own: Clock = {
    ...clock,
    after(ms, run) {
      const callOff = clock.after(ms, () => {
        callOffs.delete(end)
        run()
      })
      const end = () => {
        callOffs.delete(end)
        callOff()
      }
      callOffs.add(end)
      return end
    },
  }
  const stop = () => {
    for (const end of callOffs) end()
  }
  return { clock: own, stop }
}

/**
 * Everything that one tab does about one dealer's messages, from signing in to signing out: loads them, keeps up with
 * what happens, fills gaps, and sends what is written until the server has it. Chats and messages are in the query cache,
 * what is on its way in the store. Whatever order, repetition and loss of events and answers there is: what the server has
 * acknowledged ends up here once and in order, what it has not is kept, and nothing goes out in another dealer's name.
 */
export class MessageClient {
  readonly dealerId: string
  readonly data: ChatData
  readonly outbox: Outbox
  readonly chats: Chats
  readonly sync: Sync
  readonly reads: Reads
  readonly typing: Typing
  readonly attachments: Attachments
  readonly #parts: ClientParts
  readonly #account: AccountCheck
  readonly #notice: (event: ChatMessageEvent) => void
  readonly #stops: (() => void)[]
  #isOver = false
  /** Calls the next poll or audit off. */
  #callOff: () => void = () => {}

  constructor(given: MessageClientParts) {
    const { dealerId, store, tabs } = given
    const timers = createTimers(given.clock)
    const parts: ClientParts = { ...given, clock: timers.clock, isOver: () => this.#isOver }
    this.#parts = parts
    this.dealerId = dealerId
    this.data = new ChatData(parts, (messages) => {
      for (const { senderId, clientId } of messages) if (senderId === dealerId) this.outbox.settle(clientId)
    })
    this.#account = createAccountCheck(parts)
    this.outbox = new Outbox(parts, this.#account, (chatId, message) =>
      this.receiveMessage({ chatId, rev: message.rev, seq: message.seq, message }),
    )
    this.chats = createChats(parts, this.data)
    this.sync = new Sync(parts, this.data, this.chats)
    this.reads = createReads(parts, this.data, this.#account)
    this.typing = createTyping(parts)
    this.attachments = createAttachments(parts, (chatId, content, attachment) =>
      this.outbox.send(chatId, content, { attachment }),
    )
    this.#notice = createNotices(parts, this.data, (chatId) => this.sync.loadChat(chatId))
    this.#stops = [tabs.listen((news) => this.#receiveNews(news)), timers.stop, this.attachments.stop, tabs.close]

    store.set((state) => void (state.dealerId = dealerId))
    tabs.notify({ dealerId, about: 'account' })
    void this.outbox.load()
    this.#plan()
  }

  /** Draws the message at once, keeps it, and sends it: until the server has it or refuses it. `postId` is what it is about. */
  send(chatId: string, content: string, postId?: string): void {
    this.outbox.send(chatId, content, { postId })
  }

  /** The event. */
  receive(event: ChatMessageEvent): void {
    this.receiveMessage(event)
    this.#notice(event)
  }

  /** From an event or an answer. Absolute state: twice or late is harmless. */
  receiveMessage(event: ChatMessageEvent): void {
    if (this.#isOver) return
    if (this.data.receiveMessage(event)) this.sync.watchGap(event.chatId)
    else void this.sync.fetchMissing(event.chatId)
    if (event.message.senderId !== this.dealerId) this.typing.end(event.chatId)
  }

  receivePresence(dealerId: string, online: boolean): void {
    this.#parts.store.set((state) => {
      if (online) state.online[dealerId] = true
      else delete state.online[dealerId]
    })
  }

  #receiveNews(news: TabNews): void {
    // They share this tab's cookie: who is signed in there is signed in here.
    if (news.dealerId !== this.dealerId) this.#account.doubt()
    else if (news.about === 'read') this.data.receiveRead(news)
    else if (news.about === 'outbox') void this.outbox.load()
  }

  /** At every connection: what moved meanwhile, what waits to be sent, and what was read elsewhere. */
  onConnected(): void {
    this.outbox.workAll()
    this.reads.sendWaiting()
    this.sync.compare()
    for (const { chatId } of this.#parts.store.get().windows) void this.chats.refresh(chatId)
    void this.sync.audit()
  }

  /** The poll begins now: the audit that is planned is too far away. */
  onOffline(): void {
    if (!this.#isOver) this.#plan()
  }

  /** Polls while events do not arrive (30 s ± 20 %) and audits while they do (120 s). */
  #plan(): void {
    const { clock, connection } = this.#parts
    const everyMs = connection.state() === 'live' ? auditMs : pollMs
    this.#callOff()
    this.#callOff = clock.after(everyMs * (0.8 + clock.random() * 0.4), () => {
      void this.sync.audit().finally(() => {
        if (!this.#isOver) this.#plan()
      })
      if (connection.state() !== 'live') this.outbox.workAll()
    })
  }

  /** For good. What is on its way stays in storage, for when this dealer signs in again. */
  dispose(): void {
    if (this.#isOver) return
    this.data.clear()
    this.#isOver = true
    for (const stop of this.#stops) stop()
    this.#parts.store.reset()
  }
}

export const createMessageClient = (parts: MessageClientParts): MessageClient => new MessageClient(parts)
