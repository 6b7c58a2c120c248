import './dom.ts'
import type { ChatsPage, MessagingApi } from '#client/features/messaging/messaging.api.ts'
import { emptyMessaging, type MessagingState, type PendingMessage } from '#client/features/messaging/messaging.store.ts'
import { messagesOf } from '#client/features/messaging/sync/chat-stream.ts'
import { MessageClient } from '#client/features/messaging/sync/message-client.ts'
import type { OutboxStorage, TabMessage, Tabs } from '#client/features/messaging/sync/dependencies.ts'
import { ApiError, NetworkError } from '#client/lib/http/api.ts'
import type { LiveSocket } from '#client/lib/live/connection.ts'
import type { Slice } from '#client/lib/storage/store-slice.ts'
import { ownSlice } from '#tests/support/own-slice.ts'
import type { ChatMessageEvent } from '#shared/events/messaging.ts'
import { chatsPageMax } from '#shared/limits.ts'
import type { Message } from '#shared/schemas/messaging.ts'
import { FakeServer, type Members, Timeline } from './messaging-server.ts'
import { aQueryClient } from './query-cache.ts'

const slowestMs = 900
/** Number of recently active chats that the fake server compares, besides those that the client sends. */
const syncMax = 50
/** Longest time in ms until a tab without a socket notices a changed session. */
const slowestToLearnMs = 8_000

/** Returns deterministic pseudo-random numbers (Park and Miller). */
function randomOf(seed: number): () => number {
  let state = (seed % 2_147_483_646) + 1
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

/** A simulated browser whose tabs share the cookie, storage and locks. */
export class MessagingWorld {
  readonly clock = new Timeline()
  readonly server: FakeServer
  cookie: string | undefined
  /** Actions that the server attributed to the wrong dealer. */
  readonly misattributed: string[] = []
  readonly random: () => number
  readonly kept = new Map<string, { dealerId: string; message: PendingMessage }>()
  readonly #locks = new Map<string, { holder: FakeTab; queue: { tab: FakeTab; run: () => void }[] }>()
  tabs: FakeTab[] = []
  lastId = 0

  constructor(seed: number, chats: Record<string, Members>) {
    this.random = randomOf(seed)
    this.server = new FakeServer(this.clock, chats)
    this.server.onStored = (event, { members }) => {
      for (const tab of this.tabs) if (members.includes(tab.socketOf ?? '')) tab.tell(event)
    }
  }

  openTab(name: string): FakeTab {
    const tab = new FakeTab(this, name)
    this.tabs.push(tab)
    return tab
  }

  reload(tab: FakeTab): FakeTab {
    tab.isDead = true
    this.tabs = this.tabs.filter((one) => one !== tab)
    for (const [name, { holder, queue }] of this.#locks) {
      const alive = queue.filter((one) => one.tab !== tab)
      queue.splice(0, queue.length, ...alive)
      if (holder === tab) this.release(name)
    }
    const next = this.openTab(tab.name)
    next.meet()
    return next
  }

  /** Signs out and in as another dealer. Closes all sockets at once, and tabs that are awake notice the change soon. */
  async signIn(dealerId: string): Promise<void> {
    if (this.cookie === dealerId) return
    this.cookie = undefined
    for (const tab of this.tabs) tab.disconnect()
    for (const tab of this.tabs) tab.learnSoon()
    await this.clock.pass(6_000)
    this.cookie = dealerId
    for (const tab of this.tabs) tab.learnSoon()
  }

  acquire(name: string, tab: FakeTab): Promise<void> {
    const lock = this.#locks.get(name)
    if (lock === undefined) {
      this.#locks.set(name, { holder: tab, queue: [] })
      return Promise.resolve()
    }
    return new Promise((run) => void lock.queue.push({ tab, run }))
  }

  release(name: string): void {
    const lock = this.#locks.get(name)
    const next = lock?.queue.shift()
    if (lock === undefined || next === undefined) {
      this.#locks.delete(name)
      return
    }
    lock.holder = next.tab
    next.run()
  }
}

export type Line = 'good' | 'no requests' | 'no answers'

/** A simulated tab: the real client with a fake network, socket and storage. */
export class FakeTab {
  readonly name: string
  isDead = false
  isAsleep = false
  isHidden = false
  line: Line = 'good'
  events: 'all' | 'none' | 'twice' = 'all'
  /** The dealer whose session the socket uses. Undefined without a socket. */
  socketOf: string | undefined
  client: MessageClient | undefined
  readonly store: Slice<MessagingState>
  readonly #world: MessagingWorld
  readonly #cache = aQueryClient()
  readonly #listeners = new Set<(news: TabMessage) => void>()
  #whenAwake: (() => void)[] = []

  constructor(world: MessagingWorld, name: string) {
    this.#world = world
    this.name = name
    this.store = ownSlice(emptyMessaging)
  }

  /** Skips the callback if the tab is dead, and postpones it while the tab sleeps. */
  #here(run: () => void): void {
    if (this.isDead) return
    if (this.isAsleep) this.#whenAwake.push(run)
    else run()
  }

  #later(run: () => void, ms = this.#world.random() * slowestMs): () => void {
    return this.#world.clock.after(ms, () => this.#here(run))
  }

  sleep(): void {
    this.isAsleep = true
    this.disconnect()
  }

  wake(): void {
    this.isAsleep = false
    const waiting = this.#whenAwake
    this.#whenAwake = []
    for (const run of waiting.toSorted(() => this.#world.random() - 0.5)) this.#here(run)
    this.learnSoon()
  }

  setHidden(isHidden: boolean): void {
    this.isHidden = isHidden
    this.client?.onVisibilityChange()
  }

  learnSoon(): void {
    if (!this.isAsleep) this.#later(() => this.meet(), this.#world.random() * slowestToLearnMs)
  }

  /** Checks who is signed in, and restarts the client if it is another dealer. */
  meet(): void {
    const { cookie } = this.#world
    if (this.client?.dealerId === cookie) return
    this.client?.dispose()
    this.client = cookie === undefined ? undefined : this.#open(cookie)
    // If loading the list fails, the next reload loads it, or the audit loads the chats individually.
    this.client?.chats.load().catch(() => undefined)
  }

  connect(): void {
    const { cookie } = this.#world
    if (this.socketOf !== undefined || cookie === undefined || this.isAsleep) return
    this.socketOf = cookie
    this.client?.onConnected()
  }

  disconnect(): void {
    this.socketOf = undefined
    this.client?.onOffline()
  }

  /** Delivers an event after a random delay, so events may arrive out of order. Depending on `events`, the event is lost or repeated. */
  tell(event: ChatMessageEvent): void {
    const times = { all: 1, none: 0, twice: 2 }[this.events]
    const of = this.socketOf
    for (let n = 0; n < times; n += 1)
      this.#later(() => {
        if (this.socketOf === of) this.client?.receive(event)
      })
  }

  shown(chatId: string): { sent: Message[]; pending: PendingMessage[] } {
    const stream = this.client?.data.stream(chatId)
    const sent = stream === undefined ? [] : messagesOf(stream)
    const isSent = new Set(sent.map(({ clientId }) => clientId))
    const pending = this.store.get().pending.filter((one) => one.chatId === chatId && !isSent.has(one.clientId))
    return { sent, pending }
  }

  #open(dealerId: string): MessageClient {
    const world = this.#world
    return new MessageClient({
      dealerId,
      cache: this.#cache,
      store: this.store,
      api: this.#api(dealerId),
      uploadFile: () => Promise.reject(new Error('nothing is uploaded here')),
      connection: {
        state: () => (this.socketOf === undefined ? 'offline' : 'live'),
        socket: () => this.#socket(),
      },
      outbox: this.#outbox(dealerId),
      tabs: this.#tabs(),
      clock: {
        now: () => world.clock.now,
        serverNow: () => world.clock.now,
        random: world.random,
        after: (ms, run) => this.#later(run, ms),
      },
      isHidden: () => this.isHidden,
      newId: () => `${this.name}-${(world.lastId += 1)}`,
      onOtherAccount: () => this.learnSoon(),
    })
  }

  #call<Answer>(onServer: (sender: string) => Answer): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const { line } = this
      const lost = () => this.#later(() => reject(new NetworkError(new Error('lost'))))
      if (line === 'no requests') return void lost()
      // The server processes the call even if the tab dies.
      this.#world.clock.after(this.#world.random() * slowestMs, () => {
        try {
          if (this.#world.cookie === undefined) throw new ApiError(401, 'Unauthorized', '')
          const answer = structuredClone(onServer(this.#world.cookie))
          if (line === 'no answers') lost()
          else this.#later(() => resolve(answer))
        } catch (error) {
          this.#later(() => reject(error as Error))
        }
      })
    })
  }

  /** `dealerId` is the dealer whom the tab believes to be signed in. */
  #api(dealerId: string): MessagingApi {
    const { misattributed, server } = this.#world
    const unused = () => Promise.reject(new Error('not in this world'))
    return {
      fetchOwnId: () => this.#call((sender) => sender),
      fetchChatsPage: () =>
        this.#call<ChatsPage>((sender) => {
          const chats = server.listed(sender)
          return { chats, total: chats.length, next: undefined }
        }),
      fetchChat: (chatId) => this.#call((sender) => server.shown(sender, server.chat(chatId, sender))),
      fetchSyncHeads: () =>
        this.#call((sender) => ({
          dealerRev: 0,
          chats: server
            .recent(sender)
            .slice(0, chatsPageMax)
            .map(({ id, rev, lastSeq, readSeq }): [string, number, number, number] => [id, rev, lastSeq, readSeq]),
          feedHead: null,
          serverTime: new Date(this.#world.clock.now).toISOString(),
        })),
      fetchMessages: (chatId, place) => this.#call((sender) => server.page(sender, chatId, place)),
      postMessage: (message) =>
        this.#call((sender) => {
          if (sender !== dealerId) misattributed.push(`${message.content} of ${dealerId} as ${sender}`)
          return server.store(sender, message)
        }),
      putRead: (chatId, seq) =>
        this.#call((sender) => {
          if (sender !== dealerId) misattributed.push(`read by ${dealerId} as ${sender}`)
          server.read(sender, chatId, seq)
        }),
      openChat: unused,
      patchChat: unused,
      generateChats: unused,
    }
  }

  #socket(): LiveSocket | undefined {
    const of = this.socketOf
    if (of === undefined) return undefined
    const emit = (name: string, sent: { chats?: Record<string, number> }, answer: (ack: object) => void) => {
      if (name !== 'sync') return
      const known = sent.chats ?? {}
      const compared = this.#world.server.recent(of).filter(({ id }, index) => index < syncMax || id in known)
      const stale = compared.filter(({ id, rev }) => (known[id] ?? 0) < rev)
      const chats = Object.fromEntries(stale.map(({ id, rev }) => [id, rev]))
      this.#later(() => answer({ ok: true, data: { chats } }))
    }
    return { connected: true, emit, volatile: { emit } } as unknown as LiveSocket
  }

  #outbox(dealerId: string): OutboxStorage {
    const { kept } = this.#world
    const answered = <Value>(value: Value) =>
      new Promise<Value>((resolve) => void this.#later(() => resolve(value), this.#world.random() * 20))
    return {
      put: (message) => {
        if (!this.isDead) kept.set(message.clientId, { dealerId, message: structuredClone(message) })
        return answered(true)
      },
      remove: async (clientId) => {
        if (!this.isDead) kept.delete(clientId)
        await answered(undefined)
      },
      list: () => {
        const own = [...kept.values()].filter((row) => row.dealerId === dealerId).map(({ message }) => message)
        return answered(structuredClone(own).toSorted((a, b) => a.order - b.order))
      },
    }
  }

  #tabs(): Tabs {
    const world = this.#world
    return {
      notify: (news) => {
        for (const tab of world.tabs) if (tab !== this) tab.#hear(news)
      },
      listen: (listener) => {
        this.#listeners.add(listener)
        return () => this.#listeners.delete(listener)
      },
      withLock: async (name, work) => {
        await world.acquire(name, this)
        // A sleeping tab keeps its lock until it wakes.
        await new Promise<void>((resolve) => this.#here(resolve))
        try {
          await work()
        } finally {
          if (!this.isDead) world.release(name)
        }
      },
      close: () => this.#listeners.clear(),
    }
  }

  #hear(news: TabMessage): void {
    this.#later(() => {
      for (const listener of this.#listeners) listener(news)
    }, this.#world.random() * 20)
  }
}
