import { createStore, del, entries, set } from 'idb-keyval'
import { serverNow } from '#client/lib/live/connection.ts'
import { isNumber, isOneOf, isOptional, isShape, isText } from '#client/lib/http/type-guards.ts'
import { withLock } from '#client/lib/storage/tab-lock.ts'
import { browserRetryClock } from '#client/lib/http/retries.ts'
import { orElse } from '#client/lib/http/or-else.ts'
import type { PendingMessage } from '../messaging.store.ts'
import type { Clock, OutboxStorage, TabMessage, Tabs } from './dependencies.ts'

const rowVersion = 1

interface StoredMessage {
  version: typeof rowVersion
  dealerId: string
  message: PendingMessage
}

const isStoredMessage = isShape<StoredMessage>({
  version: isOneOf([rowVersion]),
  dealerId: isText,
  message: isShape<PendingMessage>({
    clientId: isText,
    chatId: isText,
    content: isText,
    createdAt: isText,
    attachmentUrl: isOptional(isText),
    attachmentName: isOptional(isText),
    postId: isOptional(isText),
    order: isNumber,
    state: isOneOf(['sending', 'failed']),
    reason: isOptional(isText),
  }),
})

/** Opens the store of unsent messages in IndexedDB. Each row records its author, because several dealers may share a browser. */
export function openOutboxStorage(dealerId: string): OutboxStorage {
  if (!('indexedDB' in globalThis))
    return { put: async () => false, remove: async () => {}, list: async () => undefined }
  const store = createStore('lanewire-outbox', 'messages')
  const drop = async (key: IDBValidKey) => {
    reportError(new Error('A kept message could not be read'))
    await orElse(() => del(key, store), undefined)
  }
  return {
    async put(message) {
      const row: StoredMessage = { version: rowVersion, dealerId, message }
      return orElse(() => set(message.clientId, row, store).then(() => true), false)
    },
    remove: (clientId) => orElse(() => del(clientId, store), undefined),
    async list() {
      const rows = await orElse(() => entries<IDBValidKey, unknown>(store), undefined)
      if (rows === undefined) return undefined
      const own: PendingMessage[] = []
      for (const [key, row] of rows) {
        if (!isStoredMessage(row)) await drop(key)
        else if (row.dealerId === dealerId) own.push(row.message)
      }
      return own.toSorted((a, b) => a.order - b.order)
    },
  }
}

export function openTabs(): Tabs {
  const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel('lanewire-messaging') : undefined
  return {
    notify: (message) => channel?.postMessage(message),
    listen(listener) {
      const receive = (event: MessageEvent<TabMessage>) => listener(event.data)
      channel?.addEventListener('message', receive)
      return () => channel?.removeEventListener('message', receive)
    },
    withLock,
    close: () => channel?.close(),
  }
}

export const browserClock: Clock = {
  ...browserRetryClock,
  now: Date.now,
  serverNow,
}
