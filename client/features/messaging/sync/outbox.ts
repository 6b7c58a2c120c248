import { reasonOf } from '#client/lib/http/api.ts'
import { offerPush } from '#client/lib/push-device.ts'
import type { Message } from '#shared/schemas/messaging.ts'
import type { PendingMessage } from '../messaging.store.ts'
import type { ClientDependencies } from './dependencies.ts'
import { isRefusal, Retries } from '#client/lib/http/retries.ts'

/** Milliseconds for which an account check stays valid. Signing in as another dealer takes longer than this. */
const checkValidMs = 1_000

/** Creates a check, to run before every write, that this dealer is still signed in. Otherwise, another account could send the message. */
export function createAccountCheck({ dealerId, api, clock, onOtherAccount, isOver }: ClientDependencies) {
  let generation = 0
  let lastCheck: { generation: number; askedAt: number } | undefined
  const isRecentlyChecked = () => lastCheck?.generation === generation && clock.now() - lastCheck.askedAt < checkValidMs
  return {
    invalidate(): void {
      generation += 1
    },
    async isOwn(): Promise<boolean> {
      // Check again if the result is outdated, because the tab slept or another check was requested.
      while (!isRecentlyChecked() && !isOver()) {
        const asked = { generation, askedAt: clock.now() }
        const id = await api.fetchOwnId()
        if (id !== dealerId) {
          if (!isOver()) onOtherAccount()
          return false
        }
        lastCheck = asked
      }
      return !isOver()
    },
  }
}

export type AccountCheck = ReturnType<typeof createAccountCheck>

/** The dealer's unsent messages: shown immediately, sent in order, and kept until the server accepts or rejects them. */
export class Outbox {
  readonly #parts: ClientDependencies
  readonly #account: AccountCheck
  readonly #onSent: (chatId: string, message: Message) => void
  readonly #running = new Set<string>()
  readonly #retries: Retries
  /** Messages that are not stored yet, so a list read from storage does not include them. */
  readonly #unstored = new Set<string>()
  /** Messages that were sent or discarded. A list read from storage earlier must not restore them. */
  readonly #gone = new Set<string>()
  #lastOrder = 0

  constructor(parts: ClientDependencies, account: AccountCheck, onSent: (chatId: string, message: Message) => void) {
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
    offerPush('answer')
  }

  retry(clientId: string): void {
    const message = this.#pending().find((one) => one.clientId === clientId)
    if (message === undefined) return
    const { reason: _, ...again } = message
    this.#change({ ...again, state: 'sending' })
    void this.#work(message.chatId)
  }

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

  /** Call this once a response, a socket event or a fetched page confirms that the server has the message. */
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
    // Remove the message from storage if it was sent while it was being stored.
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

  /** Loads unsent messages that were stored before a reload or by another tab. */
  async load(): Promise<void> {
    const { isOver, outbox, store } = this.#parts
    const atStart = new Map(this.#pending().map((one) => [one.clientId, one]))
    const wereStored = new Set([...atStart.keys()].filter((clientId) => !this.#unstored.has(clientId)))
    const stored = await outbox.list()
    if (stored === undefined || isOver()) return
    // Ensure that new messages sort after the stored ones, even if the device's clock was set back.
    this.#lastOrder = Math.max(this.#lastOrder, ...stored.map(({ order }) => order))
    const listed = new Map(stored.map((one) => [one.clientId, one]))
    for (const clientId of this.#gone) if (listed.delete(clientId)) void outbox.remove(clientId)
    const here = this.#pending()
      // If a stored message is missing from storage, another tab has sent or discarded it.
      .filter(({ clientId }) => listed.has(clientId) || !wereStored.has(clientId))
      .map((one) => {
        // A message that changed after storage was read is newer than its stored copy.
        const isOlder = one === atStart.get(one.clientId) && wereStored.has(one.clientId)
        return isOlder ? (listed.get(one.clientId) ?? one) : one
      })
    const isHere = new Set(here.map(({ clientId }) => clientId))
    const others = [...listed.values()].filter(({ clientId }) => !isHere.has(clientId))
    const all = [...here, ...others].toSorted((a, b) => a.order - b.order)
    store.set((state) => void (state.pending = all))
    this.workAll()
  }

  /** Retries all messages immediately. Call this on the `online` event, on connect, and when the tab becomes visible. */
  workAll(): void {
    this.#retries.cancelAll()
    this.#account.invalidate()
    for (const chatId of new Set(this.#pending().map((one) => one.chatId))) void this.#work(chatId)
  }

  /** Sends a chat's messages in order. At any time, only one tab sends messages of the chat, and only one message is in flight. */
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
      // Remove a sent message from storage even after the client has been disposed.
      if (isOver()) void outbox.remove(clientId)
      else this.settle(clientId)
      return true
    } catch (error) {
      if (isRefusal(error)) {
        this.#change({ ...pending, state: 'failed', reason: reasonOf(error) })
        return true
      }
      this.#account.invalidate()
      this.#waitAndRetry(chatId, error)
      return false
    }
  }

  #waitAndRetry(chatId: string, error?: unknown): void {
    this.#retries.schedule(chatId, () => void this.#work(chatId), error)
  }
}
