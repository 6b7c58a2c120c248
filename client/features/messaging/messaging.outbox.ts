import { ApiError, reasonOf } from '#client/lib/api.ts'
import { newId } from '#client/lib/new-id.ts'
import { serverNow } from '#client/lib/connection.ts'
import { postMessage } from './messaging.api.ts'
import { messagingStore, type PendingMessage, receiveMessage } from './messaging.store.ts'
import { alone, tellTabs } from './messaging.tabs.ts'
import { forgetPending, keepPending, listPending } from './outbox-storage.ts'

const firstRetryMs = 1_000
const lastRetryMs = 30_000

/** Chats whose outbox this tab is working off. */
const running = new Set<string>()
/** Chats that wait for another try. */
const retries = new Map<string, ReturnType<typeof setTimeout>>()
/** How often a chat has been put off since its last success. */
const putOff = new Map<string, number>()

const dealerId = () => messagingStore.get().dealerId
const pendingIn = (chatId: string) =>
  messagingStore.get().pending.find((one) => one.chatId === chatId && one.state === 'sending')

/** Draws the message at once, keeps it, and sends it: until the server has it or refuses it. */
export function send(chatId: string, content: string, attachment?: { url: string; name: string }): void {
  const message: PendingMessage = {
    clientId: newId(),
    chatId,
    content: content.trim(),
    createdAt: new Date(serverNow()).toISOString(),
    state: 'sending',
    ...(attachment && { attachmentUrl: attachment.url, attachmentName: attachment.name }),
  }
  messagingStore.set((state) => void state.pending.push(message))
  void keepPending(dealerId(), [message]).then(announce)
  void work(chatId)
}

const announce = () => tellTabs({ dealerId: dealerId(), about: 'outbox' })

export function retry(clientId: string): void {
  const message = messagingStore.get().pending.find((one) => one.clientId === clientId)
  if (message === undefined) return
  const { reason: _, ...again } = message
  setPending({ ...again, state: 'sending' })
  void work(message.chatId)
}

/** Gives up a message that the server refused. */
export function discard(clientId: string): void {
  messagingStore.set((state) => {
    state.pending = state.pending.filter((one) => one.clientId !== clientId)
  })
  void forgetPending(clientId).then(announce)
}

function setPending(message: PendingMessage): void {
  messagingStore.set((state) => {
    state.pending = state.pending.map((one) => (one.clientId === message.clientId ? message : one))
  })
  void keepPending(dealerId(), [message]).then(announce)
}

/** What was not sent before a reload, or by another tab, is taken up here. */
export async function loadOutbox(): Promise<void> {
  const owner = dealerId()
  const stored = await listPending(owner)
  if (dealerId() !== owner) return
  messagingStore.set((state) => {
    const here = new Map(state.pending.map((one) => [one.clientId, one]))
    const kept = new Set(stored.map(({ clientId }) => clientId))
    state.pending = [
      ...stored.map((one) => ({ ...here.get(one.clientId), ...one })),
      // Written a moment ago, not in storage yet.
      ...state.pending.filter((one) => !kept.has(one.clientId) && running.has(one.chatId)),
    ]
  })
  workAll()
}

/** Another try for everything that waits: on `online`, at a greeting, when the tab is seen again. */
export function workAll(): void {
  for (const timer of retries.values()) clearTimeout(timer)
  retries.clear()
  for (const chatId of new Set(messagingStore.get().pending.map((one) => one.chatId))) void work(chatId)
}

/** One message in flight per chat, in the order they were written, in one tab at a time. */
async function work(chatId: string): Promise<void> {
  if (running.has(chatId) || retries.has(chatId)) return
  running.add(chatId)
  try {
    await alone(`outbox-${chatId}`, async () => {
      for (let next = pendingIn(chatId); next !== undefined; next = pendingIn(chatId))
        if (!(await attempt(next))) return
    })
  } finally {
    running.delete(chatId)
  }
  if (pendingIn(chatId) !== undefined && !retries.has(chatId)) void work(chatId)
}

/** False: this chat waits for another try. */
async function attempt(pending: PendingMessage): Promise<boolean> {
  const { state: _, createdAt: __, reason: ___, ...outgoing } = pending
  try {
    const message = await postMessage(outgoing)
    putOff.delete(pending.chatId)
    settle(pending)
    receiveMessage({ chatId: pending.chatId, rev: message.rev, seq: message.seq, message })
    return true
  } catch (error) {
    if (isRefusal(error)) {
      setPending({ ...pending, state: 'failed', reason: reasonOf(error) })
      return true
    }
    waitAndRetry(pending.chatId, error)
    return false
  }
}

/** The server has it: by the answer, or by the event that overtook it. */
export function settle({ clientId }: { clientId: string }): void {
  if (messagingStore.get().pending.every((one) => one.clientId !== clientId)) return
  discard(clientId)
}

/** Signed out, too slow, too fast: it will pass. */
const passing = new Set([401, 408, 429])
const isRefusal = (error: unknown) => error instanceof ApiError && error.status < 500 && !passing.has(error.status)

function waitAndRetry(chatId: string, error: unknown): void {
  const tries = putOff.get(chatId) ?? 0
  putOff.set(chatId, tries + 1)
  const details = error instanceof ApiError ? (error.details as { retryAfter?: number } | undefined) : undefined
  // Jitter, so that all clients of a server that is back do not come at once.
  const backOffMs = Math.min(lastRetryMs, firstRetryMs * 2 ** tries) * (0.75 + Math.random() / 2)
  const again = () => {
    retries.delete(chatId)
    void work(chatId)
  }
  retries.set(chatId, setTimeout(again, details?.retryAfter === undefined ? backOffMs : details.retryAfter * 1_000))
}
