import type { QueryClient } from '@tanstack/react-query'
import type { ConnectionState, LiveSocket } from '#client/lib/connection.ts'
import type { RetryClock } from '#client/lib/retries.ts'
import type { Slice } from '#client/lib/slice.ts'
import type { uploadFile } from '#client/lib/upload.ts'
import type { MessagingApi } from '../messaging.api.ts'
import type { MessagingState, PendingMessage } from '../messaging.store.ts'

/** What one tab tells the others of this browser. Drafts need no words: localStorage tells them by itself. */
export type TabNews = { dealerId: string } & (
  | { about: 'read'; chatId: string; seq: number }
  | { about: 'outbox' }
  /** This dealer is signed in now. */
  | { about: 'account' }
)

export interface Tabs {
  notify: (news: TabNews) => void
  /** Answers how to stop listening. */
  listen: (listener: (news: TabNews) => void) => () => void
  /** Runs in one tab at a time. */
  withLock: (name: string, work: () => Promise<void>) => Promise<void>
  close: () => void
}

/** One dealer's messages on their way, beyond a reload. */
export interface OutboxStorage {
  /** False where the browser keeps nothing: the message lives as long as the page. */
  put: (message: PendingMessage) => Promise<boolean>
  remove: (clientId: string) => Promise<void>
  /** In the order they were written; undefined where they cannot be read just now. */
  list: () => Promise<PendingMessage[] | undefined>
}

export interface Clock extends RetryClock {
  now: () => number
  /** The server's clock, as it is known here. */
  serverNow: () => number
}

/** Everything a message client needs of the world around it. */
export interface MessageClientParts {
  /** Whose messages they are: nothing is sent while somebody else is signed in. */
  dealerId: string
  cache: QueryClient
  store: Slice<MessagingState>
  api: MessagingApi
  uploadFile: typeof uploadFile
  connection: { state: () => ConnectionState; socket: () => LiveSocket | undefined }
  outbox: OutboxStorage
  tabs: Tabs
  clock: Clock
  newId: () => string
  /** Somebody else is signed in by now. */
  onOtherAccount: () => void
}

/** The same for the pieces of one client, which end with it. */
export interface ClientParts extends MessageClientParts {
  /** The client is disposed: what is still under way changes nothing any more. */
  isOver: () => boolean
}
