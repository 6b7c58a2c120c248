import { reasonOf } from '#client/lib/api.ts'
import type { Message } from '#shared/schemas/messaging.ts'
import type { PendingMessage } from '../messaging.store.ts'
import type { ClientParts } from './parts.ts'
import { isRefusal, Retries } from '#client/lib/retries.ts'

/** So long an answer holds. Signing out and in as somebody else takes a person longer. */
const sureMs = 1_000

/**
 * Whether this dealer is the one who is signed in. Another tab may have signed somebody else in while this one slept; what
 * it writes would be theirs. Asked before anything is written, and again whenever there is reason to doubt.
 */
export function createAccountCheck({ dealerId, api, clock, onOtherAccount, isOver }: ClientParts) {
  let doubts = 0
  let sure: { doubts: number; askedAt: number } | undefined
  const isSure = () => sure?.doubts === doubts && clock.now() - sure.askedAt < sureMs
  return {
    doubt(): void {
      doubts += 1
    },
    /** @throws where it cannot be asked */
    async isOwn(): Promise<boolean> {
      // An answer may be old when it comes: the tab slept, or there was reason to doubt meanwhile.
      while (!isSure() && !isOver()) {
        const asked = { doubts, askedAt: clock.now() }
        const id = await api.fetchOwnId()
        if (id !== dealerId) {
          if (!isOver()) onOtherAccount()
          return false
        }
        sure = asked
      }
      return !isOver()
    },
  }
}

export type AccountCheck = ReturnType<typeof createAccountCheck>

/** Messages on their way: drawn at once, kept until the server has them or refuses them, sent in the order of writing. */
export class Outbox {
  readonly #parts: ClientParts
  readonly #account: AccountCheck
  readonly #onSent: (chatId: string, message: Message) => void
  /** Chats whose messages this tab is sending. */
  readonly #running = new Set<string>()
  /** By chat. */
  readonly #retries: Retries
  /** Written here and not in storage, yet or ever: what storage says is not the whole of it. */
  readonly #unstored = new Set<string>()
  /** Settled or given up: what was read from storage before that brings none of them back. */
  readonly #gone = new Set<string>()
  #lastOrder = 0

  /** @param onSent is told of what the server has taken */
  constructor(parts: ClientParts, account: AccountCheck, onSent: (chatId: string, message: Message) => void) {
    this.#parts = parts
    this.#account = account
    this.#onSent = onSent
    this.#retries = new Retries(parts)
  }

  #pending(): readonly PendingMessage[] {
    return this.#parts.store.get().pending
  }

  #nextIn(chatId: string): PendingMessage | undefined {
    return this.#pending().find((one) => one.chatId === chatId && one.state === 'sending')
  }

  /** Draws the message at once, keeps it, and sends it: until the server has it or refuses it. */
  send(
    chatId: string,
    content: string,
    { attachment, postId }: { attachment?: { url: string; name: string }; postId?: string | undefined } = {},
  ): void {
    const { clock, isOver, newId, store } = this.#parts
    if (isOver()) return
    this.#lastOrder = Math.max(this.#lastOrder + 1, clock.now())
    const message: PendingMessage = {
      clientId: newId(),
      chatId,
      content: content.trim(),
      createdAt: new Date(clock.serverNow()).toISOString(),
      order: this.#lastOrder,
      state: 'sending',
      ...(attachment && { attachmentUrl: attachment.url, attachmentName: attachment.name }),
      ...(postId !== undefined && { postId }),
    }
    store.set((state) => void state.pending.push(message))
    void this.#keep(message)
    void this.#work(chatId)
  }

  retry(clientId: string): void {
    const message = this.#pending().find((one) => one.clientId === clientId)
    if (message === undefined) return
    const { reason: _, ...again } = message
    this.#change({ ...again, state: 'sending' })
    void this.#work(message.chatId)
  }

  /** Gives up a message that the server refused. */
  discard(clientId: string): void {
    const { isOver, outbox, store } = this.#parts
    this.#gone.add(clientId)
    this.#unstored.delete(clientId)
    void outbox.remove(clientId).then(() => this.#notifyOtherTabs())
    if (isOver()) return
    store.set((state) => {
      state.pending = state.pending.filter((one) => one.clientId !== clientId)
    })
  }

  /** The server has it: by the answer, by the event that overtook it, or by a page that brought it. */
  settle(clientId: string): void {
    if (this.#pending().some((one) => one.clientId === clientId)) this.discard(clientId)
    else this.#gone.add(clientId)
  }

  #notifyOtherTabs(): void {
    const { dealerId, isOver, tabs } = this.#parts
    if (!isOver()) tabs.notify({ dealerId, about: 'outbox' })
  }

  async #keep(message: PendingMessage): Promise<void> {
    this.#unstored.add(message.clientId)
    if (await this.#parts.outbox.put(message)) this.#unstored.delete(message.clientId)
    // Settled while it was being stored.
    if (this.#gone.has(message.clientId)) await this.#parts.outbox.remove(message.clientId)
    this.#notifyOtherTabs()
  }

  #change(message: PendingMessage): void {
    const { isOver, store } = this.#parts
    if (isOver() || this.#gone.has(message.clientId)) return
    store.set((state) => {
      state.pending = state.pending.map((one) => (one.clientId === message.clientId ? message : one))
    })
    void this.#keep(message)
  }

  /** What was not sent before a reload, or by another tab, is taken up here. */
  async load(): Promise<void> {
    const { isOver, outbox, store } = this.#parts
    const atStart = new Map(this.#pending().map((one) => [one.clientId, one]))
    const wereStored = new Set([...atStart.keys()].filter((clientId) => !this.#unstored.has(clientId)))
    const stored = await outbox.list()
    if (stored === undefined || isOver()) return
    // Whatever is written next comes after them, also where this machine's clock was set back meanwhile.
    this.#lastOrder = Math.max(this.#lastOrder, ...stored.map(({ order }) => order))
    const listed = new Map(stored.map((one) => [one.clientId, one]))
    for (const clientId of this.#gone) if (listed.delete(clientId)) void outbox.remove(clientId)
    const here = this.#pending()
      // What is no longer in storage another tab has seen to.
      .filter(({ clientId }) => listed.has(clientId) || !wereStored.has(clientId))
      .map((one) => {
        // What has changed here since storage was asked is newer.
        const isOlder = one === atStart.get(one.clientId) && wereStored.has(one.clientId)
        return isOlder ? (listed.get(one.clientId) ?? one) : one
      })
    const isHere = new Set(here.map(({ clientId }) => clientId))
    const others = [...listed.values()].filter(({ clientId }) => !isHere.has(clientId))
    const all = [...here, ...others].toSorted((a, b) => a.order - b.order)
    store.set((state) => void (state.pending = all))
    this.workAll()
  }

  /** Another try for everything that waits: on `online`, once connected, when the tab is seen again. */
  workAll(): void {
    this.#retries.callOffAll()
    this.#account.doubt()
    for (const chatId of new Set(this.#pending().map((one) => one.chatId))) void this.#work(chatId)
  }

  /** One message in flight per chat, in the order they were written, in one tab at a time. */
  async #work(chatId: string): Promise<void> {
    const { isOver, tabs } = this.#parts
    if (isOver() || this.#running.has(chatId) || this.#retries.isWaiting(chatId)) return
    this.#running.add(chatId)
    try {
      await tabs.withLock(`outbox-${chatId}`, async () => {
        for (let next = this.#nextIn(chatId); next !== undefined && !isOver(); next = this.#nextIn(chatId))
          if (!(await this.#attempt(next))) return
      })
    } finally {
      this.#running.delete(chatId)
    }
    if (this.#nextIn(chatId) !== undefined) void this.#work(chatId)
  }

  /** False: this chat waits for another try. */
  async #attempt(pending: PendingMessage): Promise<boolean> {
    const { api, isOver, outbox } = this.#parts
    const { clientId, chatId } = pending
    const { state: _, createdAt: __, reason: ___, order: ____, ...outgoing } = pending
    try {
      if (!(await this.#account.isOwn())) {
        this.#waitAndRetry(chatId)
        return false
      }
      if (this.#gone.has(clientId)) return true
      const message = await api.postMessage(outgoing)
      this.#retries.succeed(chatId)
      this.#onSent(chatId, message)
      // What the server has is taken out of storage even where the client has ended.
      if (isOver()) void outbox.remove(clientId)
      else this.settle(clientId)
      return true
    } catch (error) {
      if (isRefusal(error)) {
        this.#change({ ...pending, state: 'failed', reason: reasonOf(error) })
        return true
      }
      this.#account.doubt()
      this.#waitAndRetry(chatId, error)
      return false
    }
  }

  #waitAndRetry(chatId: string, error?: unknown): void {
    this.#retries.putOff(chatId, () => void this.#work(chatId), error)
  }
}
