import { messagingStore, type ChatWindow } from './messaging.store.ts'

/** What a reload must not lose, per dealer of this browser. Drafts are in lib/drafts, messages on their way in IndexedDB. */
interface Kept {
  isListOpen: boolean
  windows: ChatWindow[]
}

const layoutKey = (dealerId: string) => `lanewire.dock.${dealerId}`

/** Restores the windows. */
export function restoreLayout(dealerId: string): void {
  const kept = JSON.parse(localStorage.getItem(layoutKey(dealerId)) ?? '{}') as Partial<Kept>
  messagingStore.set((state) => {
    state.isListOpen = kept.isListOpen ?? false
    state.windows = kept.windows ?? []
  })
}

export function saveLayout({ isListOpen, windows }: Kept): void {
  const { dealerId } = messagingStore.get()
  if (dealerId !== '') localStorage.setItem(layoutKey(dealerId), JSON.stringify({ isListOpen, windows }))
}
