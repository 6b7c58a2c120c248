import { createStore, del, entries, setMany } from 'idb-keyval'
import type { PendingMessage } from './messaging.store.ts'

type Stored = PendingMessage & { dealerId: string; order: number }

const store = 'indexedDB' in globalThis ? createStore('lanewire-outbox', 'messages') : undefined
let lastOrder = 0

/** Keeps a message until the server has it. A browser that refuses storage still sends it from memory. */
export async function keepPending(dealerId: string, messages: readonly PendingMessage[]): Promise<void> {
  if (store === undefined) return
  const rows = messages.map((message): [string, Stored] => {
    lastOrder = Math.max(lastOrder + 1, Date.now())
    return [message.clientId, { ...message, dealerId, order: lastOrder }]
  })
  await setMany(rows, store).catch(() => undefined)
}

export async function forgetPending(clientId: string): Promise<void> {
  if (store !== undefined) await del(clientId, store).catch(() => undefined)
}

/** What this dealer has not got through yet, in the order it was written. */
export async function listPending(dealerId: string): Promise<PendingMessage[]> {
  if (store === undefined) return []
  const rows = await entries<string, Stored>(store).catch(() => [])
  return rows
    .map(([, row]) => row)
    .filter((row) => row.dealerId === dealerId)
    .toSorted((a, b) => a.order - b.order)
    .map((row) => {
      const { dealerId: _, order: __, ...message } = row
      return message
    })
}
