import { toastFailure } from '#client/ui/toast-store.ts'
import { messagesPageMax, messagesPerWindow } from '#shared/limits.ts'
import type { ChatPatch, MessagesPage } from '#shared/schemas/messaging.ts'
import type { ChatsPage, ChatsPart, MessagesPlace } from '../messaging.api.ts'
import { type ChatData, parkedRows } from './chat-data.ts'
import { addEarlier, catchUp, hasEarlier, hasGap, isFarBehind, openStream, reload } from './chat-stream.ts'
import type { ClientParts } from './parts.ts'
import { isRefusal, Retries } from '#client/lib/retries.ts'

/** What is beyond a gap waits this long for the missing event before it is asked for. */
const gapMs = 250
const pageSize = 200
/** The server compares so many: its most recently active ones. */
const vectorMax = 50
/** More chats than this that nobody here knows are loaded as a list. */
const unknownMax = 3
/** So long one more unlisted chat may follow before the list's length is asked for again. */
const countMs = 1_000

/** The dealer's chats: which there are, and what is known of each beside its messages. */
export function createChats(parts: ClientParts, data: ChatData) {
  const { dealerId, api, clock, isOver } = parts
  const retries = new Retries(parts)
  let isCounting = false

  /** What a chat's number does not carry: receipts, mute, context. */
  async function refresh(chatId: string): Promise<void> {
    try {
      data.receiveChats([await api.fetchChat(chatId)])
      retries.succeed(chatId)
    } catch (error) {
      if (!isRefusal(error)) retries.putOff(chatId, () => void refresh(chatId), error)
    }
  }

  return {
    refresh,
    /** A chat came up that was not listed: where the list is longer than what is here, its length is asked for again. */
    countAgain(): void {
      if (data.list().nextPage === undefined || isCounting) return
      isCounting = true
      clock.after(countMs, () => {
        isCounting = false
        api.fetchChatsPage({ limit: 1 }).then(
          ({ total }) => data.setList({ total }),
          // The next load of the list brings it.
          () => undefined,
        )
      })
    },
    /**
     * Loads the list. Where it is longer than a page, every chat with something unread is loaded as well, however old: the
     * badge is the sum over what is here, and so the same in every tab.
     */
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
      // What is unread here and not there was read elsewhere.
      const readElsewhere = Object.values(data.list().chats).filter(
        (chat) => !seen.has(chat.id) && chat.unreadCount > 0,
      )
      if (isLong) for (const { id } of readElsewhere) void refresh(id)
      return page.total
    },
    /** Chats that are not here and match by name or dealership: put where the list finds them. */
    async search(search: string, signal?: AbortSignal): Promise<number> {
      const { chats, total } = await api.fetchChatsPage({ search }, signal)
      data.receiveChats(chats)
      return total
    },
    /** The page after those that are listed. */
    async loadNextPage(): Promise<void> {
      const { nextPage } = data.list()
      if (nextPage === undefined) return
      const page = await api.fetchChatsPage(nextPage.replace(/\bmessages=\d+/, 'messages=1'))
      if (isOver()) return
      data.setList({ total: page.total, nextPage: page.next })
      data.receiveChats(page.chats)
    },
    /** The chat with a dealer, made when there is none; it is here when this answers. */
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

/** Sees to it that nothing is missing: compares numbers with the server, and fetches what they say is not here. */
export class Sync {
  readonly #parts: ClientParts
  readonly #data: ChatData
  readonly #chats: Chats
  /** Chats that are being brought up to date. */
  readonly #filling = new Map<string, Promise<void>>()
  /** Of these, where something is missing again: the answer that is on its way may have been read before it. */
  readonly #missingAgain = new Set<string>()
  /** Chats with a gap whose missing event may be right behind. */
  readonly #watched = new Set<string>()
  /** Chats that could not be brought up to date, and the questions that were not answered. */
  readonly #retries: Retries

  constructor(parts: ClientParts, data: ChatData, chats: Chats) {
    this.#parts = parts
    this.#data = data
    this.#chats = chats
    this.#retries = new Retries(parts)
  }

  /** Does it; where that fails `again` is called later, unless it was refused. Never fails itself. */
  async #untilRight(key: string, work: () => Promise<unknown>, again: () => unknown): Promise<void> {
    try {
      await work()
      this.#retries.succeed(key)
    } catch (error) {
      if (!isRefusal(error)) this.#retries.putOff(key, () => void again(), error)
    }
  }

  #loadList(): Promise<void> {
    return this.#untilRight(
      'list',
      () => this.#chats.load(),
      () => this.#loadList(),
    )
  }

  /** Brings a chat that is not here yet; who asks while it is on its way waits for the same answer. */
  loadChat(chatId: string): Promise<void> {
    return this.#filling.get(chatId) ?? this.fetchMissing(chatId)
  }

  /** Brings a chat up to date, once at a time; what fails is tried again. Asked for meanwhile it is asked once more. */
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
      await this.#untilRight(
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
        // Whoever is scrolled up keeps what they read; the newest page comes when they are back.
        if (store.get().scrolledUp[chatId] !== undefined) return
        const newest = await api.fetchMessages(chatId, { limit: messagesPerWindow })
        this.#data.stepStream(chatId, (now) => reload(now, newest))
        return
      }
      this.#data.stepStream(chatId, (now) => catchUp(now, page))
      if (!page.more) return
    }
  }

  /** After an event that left a gap: the missing one may be right behind. */
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

  /** A reader who was far up in a chat is back at its end. */
  fetchMissingIfBehind(chatId: string): void {
    const cursor = this.#data.stream(chatId)?.cursor ?? 0
    if (cursor < (this.#data.chat(chatId)?.rev ?? 0)) void this.fetchMissing(chatId)
  }

  #vector(): Record<string, number> {
    const recent = Object.values(this.#data.list().chats)
      .toSorted((a, b) => b.lastActivity.localeCompare(a.lastActivity))
      .slice(0, vectorMax)
    return Object.fromEntries(recent.map(({ id }) => [id, this.#data.stream(id)?.cursor ?? 0]))
  }

  /** Asks which chats moved. Before the first load there is nothing to compare: it is asked for right after it. */
  compare(): void {
    const socket = this.#parts.connection.socket()
    if (!this.#data.list().hasLoaded || socket?.connected !== true) return
    socket.emit('sync', { dealer: 0, chats: this.#vector() }, (answer) => {
      if (this.#parts.isOver()) return
      if (!answer.ok) return this.#retries.putOff('compare', () => this.compare())
      this.#retries.succeed('compare')
      const stale = Object.keys(answer.data.chats ?? {})
      const unknown = stale.filter((chatId) => this.#data.chat(chatId) === undefined)
      if (answer.data.more === true || unknown.length > unknownMax) void this.#loadList()
      else for (const chatId of stale) void this.fetchMissing(chatId)
    })
  }

  /** Compares every number that the server has with what is held here. */
  audit(): Promise<void> {
    const { api, dealerId, isOver } = this.#parts
    const compareAll = async () => {
      if (isOver()) return
      const heads = await api.fetchSyncHeads()
      for (const [chatId, rev, , readSeq] of heads.chats) {
        if ((this.#data.stream(chatId)?.cursor ?? -1) < rev) await this.fetchMissing(chatId)
        if ((this.#data.chat(chatId)?.readSeq ?? readSeq) < readSeq)
          this.#data.receiveRead({ chatId, dealerId, seq: readSeq })
      }
    }
    return this.#untilRight('audit', compareAll, () => this.audit())
  }

  #firstHeld(chatId: string): number {
    return this.#data.messages(chatId)[0]?.seq ?? 1
  }

  /** Undefined: they did not load, and the reader has been told. */
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

  /** The reader is far from the end then: what is between is not here. */
  async #loadAround(chatId: string, seq: number): Promise<void> {
    const around = await this.#fetchOlder(chatId, { aroundSeq: seq, limit: messagesPageMax })
    if (around === undefined || this.#parts.isOver()) return
    this.#data.setScrolledUp(chatId, 'far')
    // What follows has a higher rev than the last one's place. A row that was changed lately has one beyond all that is missing.
    this.#data.stepStream(chatId, () => openStream(around.messages, around.messages.at(-1)?.seq ?? 0))
  }

  #mayHaveEarlier(chatId: string): boolean {
    const stream = this.#data.stream(chatId)
    return stream !== undefined && hasEarlier(stream)
  }

  /** Sees to it that twenty messages before `seq` are held, or as many as there are. Answers the first of them. */
  async loadEarlier(chatId: string, seq: number): Promise<number> {
    const before = () => this.#data.messages(chatId).filter((one) => one.seq < seq)
    if (before().length < messagesPerWindow && this.#mayHaveEarlier(chatId))
      await this.#loadBefore(chatId, messagesPerWindow)
    return before().at(-messagesPerWindow)?.seq ?? before()[0]?.seq ?? seq
  }

  /** Sees to it that a message that was found is held, with what follows it; far back, only with its neighbours. */
  async loadUntil(chatId: string, seq: number): Promise<void> {
    if (this.#firstHeld(chatId) - seq > parkedRows) return this.#loadAround(chatId, seq)
    while (!this.#parts.isOver() && this.#firstHeld(chatId) > seq && this.#mayHaveEarlier(chatId))
      if (!(await this.#loadBefore(chatId, messagesPageMax))) return
  }
}
