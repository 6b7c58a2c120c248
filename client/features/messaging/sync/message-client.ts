import type { ChatMessageEvent } from '#shared/events/messaging.ts'
import { type Attachments, createAttachments } from '../thread/attachments.ts'
import { ChatData } from './chat-data.ts'
import { createNotices } from './notices.ts'
import { type AccountCheck, createAccountCheck, Outbox } from './outbox.ts'
import type { ClientDependencies, Clock, MessageClientDependencies, TabMessage } from './dependencies.ts'
import { createReads, createTyping, type Reads, type Typing } from './read-and-typing.ts'
import { type Chats, createChats, Sync } from './sync.ts'

const pollMs = 30_000
const auditMs = 120_000

function createTimers(clock: Clock) {
  const callOffs = new Set<() => void>()
  const own: Clock = {
    ...clock,
    after(ms, run) {
      const cancel = clock.after(ms, () => {
        callOffs.delete(end)
        run()
      })
      const end = () => {
        callOffs.delete(end)
        cancel()
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
 * All messaging of one dealer in one tab, from sign-in to sign-out. Even if events or requests are reordered, repeated or lost, stored
 * messages appear exactly once and in order, unsent messages are kept, and nothing is sent as another dealer.
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
  readonly #parts: ClientDependencies
  readonly #account: AccountCheck
  readonly #notice: (event: ChatMessageEvent) => void
  readonly #stops: (() => void)[]
  #isOver = false
  #cancel: () => void = () => {}
  #nextAuditAtMs = 0

  constructor(given: MessageClientDependencies) {
    const { dealerId, store, tabs } = given
    const timers = createTimers(given.clock)
    const parts: ClientDependencies = { ...given, clock: timers.clock, isOver: () => this.#isOver }
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
    this.#stops = [
      tabs.listen((message) => this.#receiveTabMessage(message)),
      timers.stop,
      this.attachments.stop,
      tabs.close,
    ]

    store.set((state) => void (state.dealerId = dealerId))
    tabs.notify({ dealerId, about: 'account' })
    void this.outbox.load()
    this.#scheduleAudit()
  }

  /** Shows and stores a message immediately. Sending is retried until the server accepts or rejects the message. */
  send(chatId: string, content: string, postId?: string): void {
    this.outbox.send(chatId, content, { postId })
  }

  receive(event: ChatMessageEvent): void {
    this.receiveMessage(event)
    this.#notice(event)
  }

  /** Idempotent, because events carry absolute state. */
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

  #receiveTabMessage(message: TabMessage): void {
    // All tabs share the session cookie. If another dealer signs in from one tab, this tab acts as that dealer, too.
    if (message.dealerId !== this.dealerId) this.#account.invalidate()
    else if (message.about === 'read') this.data.receiveRead(message)
    else if (message.about === 'outbox') void this.outbox.load()
  }

  onConnected(): void {
    this.outbox.workAll()
    this.reads.sendWaiting()
    this.sync.compare()
    for (const { chatId } of this.#parts.store.get().windows) void this.chats.refresh(chatId)
    void this.sync.audit()
  }

  /** Starts polling at the offline interval, because the next scheduled audit may be two minutes away. */
  onOffline(): void {
    if (!this.#isOver) this.#scheduleAudit()
  }

  /** Pauses the audits of a hidden tab with a live connection. An overdue audit runs as soon as the tab is visible again. */
  onVisibilityChange(): void {
    if (!this.#isOver) this.#schedule()
  }

  /** Schedules the next audit: every 120 s while the connection is live, otherwise every 30 s. Both intervals vary by ±20%. */
  #scheduleAudit(): void {
    const { clock, connection } = this.#parts
    const everyMs = connection.state() === 'live' ? auditMs : pollMs
    this.#nextAuditAtMs = clock.now() + everyMs * (0.8 + clock.random() * 0.4)
    this.#schedule()
  }

  #schedule(): void {
    const { clock, connection, isHidden } = this.#parts
    this.#cancel()
    // The socket delivers messages to a hidden tab, too. Audits only find lost messages, so they can wait.
    if (connection.state() === 'live' && isHidden()) return
    this.#cancel = clock.after(Math.max(0, this.#nextAuditAtMs - clock.now()), () => {
      void this.sync.audit().finally(() => {
        if (!this.#isOver) this.#scheduleAudit()
      })
      if (connection.state() !== 'live') this.outbox.workAll()
    })
  }

  /** Stops the client permanently. Unsent messages stay in storage until this dealer signs in again. */
  dispose(): void {
    if (this.#isOver) return
    this.data.clear()
    this.#isOver = true
    for (const stop of this.#stops) stop()
    this.#parts.store.reset()
  }
}
