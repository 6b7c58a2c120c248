import type { QueryClient } from '@tanstack/react-query'
import type { ConnectionState, LiveSocket } from '#client/lib/live/connection.ts'
import type { RetryClock } from '#client/lib/http/retries.ts'
import type { Slice } from '#client/lib/storage/store-slice.ts'
import type { uploadFile } from '#client/lib/files/upload-file.ts'
import type { MessagingApi } from '../messaging.api.ts'
import type { MessagingState, PendingMessage } from '../messaging.store.ts'

/** News that the tabs of this browser send each other. Drafts use storage events instead. */
export type TabMessage = { dealerId: string } & (
  | { about: 'read'; chatId: string; seq: number }
  | { about: 'outbox' }
  | { about: 'account' }
)

export interface Tabs {
  notify: (message: TabMessage) => void
  listen: (listener: (message: TabMessage) => void) => () => void
  withLock: (name: string, work: () => Promise<void>) => Promise<void>
  close: () => void
}

/** Storage for one dealer's unsent messages, which survive a reload. */
export interface OutboxStorage {
  /** Returns false if the browser cannot store the message. The message is then lost when the page is closed. */
  put: (message: PendingMessage) => Promise<boolean>
  remove: (clientId: string) => Promise<void>
  /** Lists messages in the order in which they were written. Returns undefined if they cannot be read now. */
  list: () => Promise<PendingMessage[] | undefined>
}

export interface Clock extends RetryClock {
  now: () => number
  serverNow: () => number
}

export interface MessageClientDependencies {
  /** The dealer who owns these messages. Nothing is sent while somebody else is signed in. */
  dealerId: string
  cache: QueryClient
  store: Slice<MessagingState>
  api: MessagingApi
  uploadFile: typeof uploadFile
  connection: { state: () => ConnectionState; socket: () => LiveSocket | undefined }
  outbox: OutboxStorage
  tabs: Tabs
  clock: Clock
  isHidden: () => boolean
  newId: () => string
  onOtherAccount: () => void
}

export interface ClientDependencies extends MessageClientDependencies {
  /** True once the client has been disposed. Pending work must not change anything after that. */
  isOver: () => boolean
}
