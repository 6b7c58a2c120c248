import { toastFailure } from '#client/ui/toast-store.ts'
import { messagesPageMax, messagesPerWindow, syncVectorMax } from '#shared/limits.ts'
import type { ChatPatch, MessagesPage } from '#shared/schemas/messaging.ts'
import type { ChatsPage, ChatsPart, MessagesPlace } from '../messaging.api.ts'
import { type ChatData, parkedRows } from './chat-data.ts'
import { addEarlier, catchUp, hasEarlier, hasGap, isFarBehind, openStream, reload } from './chat-stream.ts'
import type { ClientDependencies } from './dependencies.ts'
import { isRefusal, Retries } from '#client/lib/http/retries.ts'

/** Milliseconds to wait for a missing event before fetching it. */
const gapMs = 250
const pageSize = 200
/** Maximum number of chats to compare. The server accepts at most 60, so only the most recently active ones are sent. */
const recentMax = 50
/** If the server reports more unknown chats than this, the whole list is loaded. */
const unknownMax = 3
/** Requests for the total number of chats within this many milliseconds are combined into one. */
const countMs = 1_000

/** Loads, opens and changes the dealer's chats. `Sync` keeps their messages up to date. */
export function createChats(parts: ClientDependencies, data: ChatData) {
  const { dealerId, api, clock, isOver } = parts
  const retries = new Retries(parts)
  let isCounting = false

  /** Fetches a chat, because changes to read receipts, mute and context do not increase the chat's revision. */
  async function refresh(chatId: string): Promise<void> {
    try {
      data.receiveChats([await api.fetchChat(chatId)])
      retries.succeed(chatId)
    } catch (error) {
      if (!isRefusal(error)) retries.schedule(chatId, () => void refresh(chatId), error)
    }
  }

  return {
    refresh,
    /** Call this when a chat appears that is not loaded. Refetches the total number of chats if not all of them are loaded. */
    countAgain(): void {
      if (data.list().nextPage === undefined || isCounting) return
      isCounting = true
      clock.after(countMs, () => {
        isCounting = false
        api.fetchChatsPage({ limit: 1 }).then(
          ({ total }) => data.setList({ total }),
          () => undefined,
        )
      })
    },
    /** Loads the first page of chats, and every chat with unread messages, because the unread badge is a sum over the loaded chats. */
    async load(signal?: AbortSignal): Promise<number> {
      const asked = Object.keys(data.list().chats)
      const page = await api.fetchChatsPage(undefined, signal)
      data.receiveFirstPage(page, asked)
      const seen = new Set(page.chats.map(({ id }) => id))
      let next: ChatsPart | undefined = page.next === undefined ? undefined : { unread: 'true' }
      const isLong = next !== undefined
      while (next !== undefined) {
        const more: ChatsPage = await api.fetchChatsPage(next, signal)
        data.receiveChats(more.chats)
        for (const { id } of more.chats) seen.add(id)
        next = more.next
      }
      // A chat that is unread here but missing from the response was read on another device.
      const readElsewhere = Object.values(data.list().chats).filter(
        (chat) => !seen.has(chat.id) && chat.unreadCount > 0,
      )
      if (isLong) for (const { id } of readElsewhere) void refresh(id)
      return page.total
    },
    async search(search: string, signal?: AbortSignal): Promise<number> {
      const { chats, total } = await api.fetchChatsPage({ search }, signal)
      data.receiveChats(chats)
      return total
    },
    async loadNextPage(): Promise<void> {
      const { nextPage } = data.list()
      if (nextPage === undefined) return
      const page = await api.fetchChatsPage(nextPage.replace(/\bmessages=\d+/, 'messages=1'))
      if (isOver()) return
      data.setList({ total: page.total, nextPage: page.next })
      data.receiveChats(page.chats)
    },
    async open(otherId: string): Promise<string> {
      const chat = await api.openChat(otherId)
      data.receiveChats([chat])
      return chat.id
    },
    async change(chatId: string, patch: ChatPatch): Promise<void> {
      data.receiveChats([await api.patchChat(chatId, patch)])
    },
    async generate(): Promise<void> {
      data.receiveChats(await api.generateChats(dealerId))
    },
  }
}

export type Chats = ReturnType<typeof createChats>

/** Compares revisions with the server, and fetches missing messages. */
export class Sync {
  readonly #parts: ClientDependencies
  readonly #data: ChatData
  readonly #chats: Chats
  readonly #filling = new Map<string, Promise<void>>()
  /** Chats in `#filling` that got another gap during the request. The response may not include the missing messages. */
  readonly #missingAgain = new Set<string>()
  readonly #watched = new Set<string>()
  readonly #retries: Retries

  constructor(parts: ClientDependencies, data: ChatData, chats: Chats) {
    this.#parts = parts
    this.#data = data
    this.#chats = chats
    this.#retries = new Retries(parts)
  }

  /** Runs `work`. If it fails, schedules `again`, unless the server rejected the request. Never rejects. */
  async #retryUntilDone(key: string, work: () => Promise<unknown>, again: () => unknown): Promise<void> {
    try {
      await work()
      this.#retries.succeed(key)
    } catch (error) {
      if (!isRefusal(error)) this.#retries.schedule(key, () => void again(), error)
    }
  }

  #loadList(): Promise<void> {
    return this.#retryUntilDone(
      'list',
      () => this.#chats.load(),
      () => this.#loadList(),
    )
  }

  loadChat(chatId: string): Promise<void> {
    return this.#filling.get(chatId) ?? this.fetchMissing(chatId)
  }

  /** Fetches a chat's missing messages, and retries on failure. A call while this is running causes one more run. */
  fetchMissing(chatId: string): Promise<void> {
    const known = this.#filling.get(chatId)
    if (known !== undefined) {
      this.#missingAgain.add(chatId)
      return known
    }
    const run = this.#fill(chatId).finally(() => this.#filling.delete(chatId))
    this.#filling.set(chatId, run)
    return run
  }

  async #fill(chatId: string): Promise<void> {
    do {
      this.#missingAgain.delete(chatId)
      await this.#retryUntilDone(
        chatId,
        () => this.#fetchMissingOnce(chatId),
        () => this.fetchMissing(chatId),
      )
    } while (this.#missingAgain.has(chatId) && !this.#parts.isOver())
  }

  async #fetchMissingOnce(chatId: string): Promise<void> {
    const { api, isOver, store } = this.#parts
    while (!isOver()) {
      const stream = this.#data.stream(chatId)
      if (stream === undefined) {
        this.#data.receiveChats([await api.fetchChat(chatId)])
        this.#chats.countAgain()
        return
      }
      if (this.#data.isParked(chatId)) return
      const page = await api.fetchMessages(chatId, { afterRev: stream.cursor, limit: pageSize })
      if (page.more && isFarBehind(stream, page.lastSeq)) {
        // Keep the rows in place while the reader is scrolled up. The newest page loads when they scroll back down.
        if (store.get().scrolledUp[chatId] !== undefined) return
        const newest = await api.fetchMessages(chatId, { limit: messagesPerWindow })
        this.#data.stepStream(chatId, (now) => reload(now, newest))
        return
      }
      this.#data.stepStream(chatId, (now) => catchUp(now, page))
      if (!page.more) return
    }
  }

  /** Call this after an event with a gap. Waits briefly before fetching, because the missing event may arrive next. */
  watchGap(chatId: string): void {
    const isOpen = () => {
      const stream = this.#data.stream(chatId)
      return stream !== undefined && hasGap(stream)
    }
    if (this.#watched.has(chatId) || !isOpen()) return
    this.#watched.add(chatId)
    this.#parts.clock.after(gapMs, () => {
      this.#watched.delete(chatId)
      if (isOpen()) void this.fetchMissing(chatId)
    })
  }

  /** Call this when a reader who had scrolled far up returns to the end. */
  fetchMissingIfBehind(chatId: string): void {
    const cursor = this.#data.stream(chatId)?.cursor ?? 0
    if (cursor < (this.#data.chat(chatId)?.rev ?? 0)) void this.fetchMissing(chatId)
  }

  /** Returns the loaded chats on screen. Hiding a message raises a chat's revision but not its activity, so an old chat may be stale. */
  #openChatIds(): string[] {
    const { logs, windows } = this.#parts.store.get()
    const shown = Object.keys(logs).filter((chatId) => (logs[chatId] ?? 0) > 0)
    const chatIds = new Set([...windows.map(({ chatId }) => chatId), ...shown])
    return [...chatIds].filter((chatId) => this.#data.chat(chatId) !== undefined)
  }

  #vector(): Record<string, number> {
    const recent = Object.values(this.#data.list().chats)
      .toSorted((a, b) => b.lastActivity.localeCompare(a.lastActivity))
      .slice(0, recentMax)
    const chatIds = [...new Set([...this.#openChatIds(), ...recent.map(({ id }) => id)])].slice(0, syncVectorMax)
    return Object.fromEntries(chatIds.map((id) => [id, this.#data.stream(id)?.cursor ?? 0]))
  }

  /** Asks the server which chats have changed. Does nothing before the list has been loaded once, or while the socket is disconnected. */
  compare(): void {
    const socket = this.#parts.connection.socket()
    if (!this.#data.list().hasLoaded || socket?.connected !== true) return
    socket.emit('sync', { dealer: 0, chats: this.#vector() }, (answer) => {
      if (this.#parts.isOver()) return
      if (!answer.ok) return this.#retries.schedule('compare', () => this.compare())
      this.#retries.succeed('compare')
      const stale = Object.keys(answer.data.chats ?? {})
      const unknown = stale.filter((chatId) => this.#data.chat(chatId) === undefined)
      const isFar = answer.data.more === true || unknown.length > unknownMax
      if (isFar) void this.#loadList()
      // The list may not contain an old chat that is on screen.
      for (const chatId of isFar ? this.#openChatIds().filter((id) => stale.includes(id)) : stale)
        void this.fetchMissing(chatId)
    })
  }

  audit(): Promise<void> {
    const { api, dealerId, isOver } = this.#parts
    const compareAll = async () => {
      if (isOver()) return
      const heads = await api.fetchSyncHeads()
      const headIds = new Set(heads.chats.map(([chatId]) => chatId))
      for (const chatId of this.#openChatIds()) if (!headIds.has(chatId)) await this.fetchMissing(chatId)
      for (const [chatId, rev, , readSeq] of heads.chats) {
        if ((this.#data.stream(chatId)?.cursor ?? -1) < rev) await this.fetchMissing(chatId)
        if ((this.#data.chat(chatId)?.readSeq ?? readSeq) < readSeq)
          this.#data.receiveRead({ chatId, dealerId, seq: readSeq })
      }
    }
    return this.#retryUntilDone('audit', compareAll, () => this.audit())
  }

  #firstHeld(chatId: string): number {
    return this.#data.messages(chatId)[0]?.seq ?? 1
  }

  /** Fetches a page of older messages. If this fails, shows a toast and returns undefined. */
  async #fetchOlder(chatId: string, place: MessagesPlace): Promise<MessagesPage | undefined> {
    try {
      return await this.#parts.api.fetchMessages(chatId, place)
    } catch (error) {
      toastFailure('Earlier messages could not be loaded', error)
      return undefined
    }
  }

  async #loadBefore(chatId: string, limit: number): Promise<boolean> {
    const older = await this.#fetchOlder(chatId, { beforeSeq: this.#firstHeld(chatId), limit })
    if (older !== undefined) this.#data.stepStream(chatId, (stream) => addEarlier(stream, older))
    return older !== undefined
  }

  /** Loads the messages around a search hit instead of the newest messages. */
  async #loadAround(chatId: string, seq: number): Promise<void> {
    const around = await this.#fetchOlder(chatId, { aroundSeq: seq, limit: messagesPageMax })
    if (around === undefined || this.#parts.isOver()) return
    this.#data.setScrolledUp(chatId, 'far')
    // Use `seq` as the revision: a recently changed message has a high revision, although changes before it may be missing.
    this.#data.stepStream(chatId, () => openStream(around.messages, around.messages.at(-1)?.seq ?? 0))
  }

  #mayHaveEarlier(chatId: string): boolean {
    const stream = this.#data.stream(chatId)
    return stream !== undefined && hasEarlier(stream)
  }

  /** Loads one page of older messages if fewer than twenty before `seq` are loaded. Returns the `seq` of the oldest of these twenty. */
  async loadEarlier(chatId: string, seq: number): Promise<number> {
    const before = () => this.#data.messages(chatId).filter((one) => one.seq < seq)
    if (before().length < messagesPerWindow && this.#mayHaveEarlier(chatId))
      await this.#loadBefore(chatId, messagesPerWindow)
    return before().at(-messagesPerWindow)?.seq ?? before()[0]?.seq ?? seq
  }

  /** Loads a search hit and everything after it. If the hit is far back, loads only the messages around it. */
  async loadUntil(chatId: string, seq: number): Promise<void> {
    if (this.#firstHeld(chatId) - seq > parkedRows) return this.#loadAround(chatId, seq)
    while (!this.#parts.isOver() && this.#firstHeld(chatId) > seq && this.#mayHaveEarlier(chatId))
      if (!(await this.#loadBefore(chatId, messagesPageMax))) return
  }
}
