import type { QueryClient } from '@tanstack/react-query'
import { connectionState, currentSocket } from '#client/lib/live/connection.ts'
import { newId } from '#client/lib/http/new-id.ts'
import { recheckAuthStatus } from '#client/lib/query/query-client.ts'
import { meKey } from '#client/lib/query/query-keys.ts'
import { defineSlice } from '#client/lib/storage/store-slice.ts'
import { uploadFile } from '#client/lib/files/upload-file.ts'
import { messagingApi } from '../messaging.api.ts'
import { messagingStore, restoreLayout } from '../messaging.store.ts'
import { browserClock, openOutboxStorage, openTabs } from './browser-dependencies.ts'
import { MessageClient } from './message-client.ts'
import { wakeNoticeSound } from './notices.ts'

const clientSlice = defineSlice<{ client: MessageClient | undefined }>('messageClient', () => ({ client: undefined }))

export const findMessageClient = (): MessageClient | undefined => clientSlice.get().client

/** Returns the message client of the signed-in dealer. @throws if nobody is signed in */
export function messageClient(): MessageClient {
  const client = findMessageClient()
  if (client === undefined) throw new Error('nobody is signed in')
  return client
}

export function startMessaging(dealerId: string, cache: QueryClient): () => void {
  const client = new MessageClient({
    dealerId,
    cache,
    store: messagingStore,
    api: messagingApi,
    uploadFile,
    connection: { state: connectionState, socket: currentSocket },
    outbox: openOutboxStorage(dealerId),
    tabs: openTabs(),
    clock: browserClock,
    isHidden: () => document.hidden,
    newId,
    onOtherAccount: () => {
      void recheckAuthStatus(cache)
      void cache.invalidateQueries({ queryKey: meKey })
    },
  })
  restoreLayout(dealerId)
  clientSlice.set((state) => void (state.client = client))
  const onOnline = () => client.outbox.workAll()
  const onVisibilityChange = () => client.onVisibilityChange()
  window.addEventListener('online', onOnline)
  document.addEventListener('visibilitychange', onVisibilityChange)
  const stopWaking = wakeNoticeSound()
  return () => {
    stopWaking()
    window.removeEventListener('online', onOnline)
    document.removeEventListener('visibilitychange', onVisibilityChange)
    client.dispose()
    clientSlice.reset()
  }
}
