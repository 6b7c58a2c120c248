import { messagingStore, type ChatWindow } from './messaging.store.ts'

/** What a reload must not lose, per dealer of this browser. Messages on their way are in IndexedDB instead. */
interface Kept {
  isListOpen: boolean
  windows: ChatWindow[]
}

const layoutKey = (dealerId: string) => `lanewire.dock.${dealerId}`
const draftPrefix = (dealerId: string) => `lanewire.draft.${dealerId}.`

/** Keeps a draft, here and in every other window of this browser. Empty forgets it. */
export function saveDraft(chatId: string, text: string): void {
  const { dealerId } = messagingStore.get()
  setDraft(chatId, text)
  if (text === '') localStorage.removeItem(draftPrefix(dealerId) + chatId)
  else localStorage.setItem(draftPrefix(dealerId) + chatId, text)
}

function setDraft(chatId: string, text: string): void {
  messagingStore.set((state) => {
    if (text === '') delete state.drafts[chatId]
    else state.drafts[chatId] = text
  })
}

/** Restores windows and drafts, and follows both from then on. Answers how to stop. */
export function startMemory(dealerId: string): () => void {
  const prefix = draftPrefix(dealerId)
  const kept = JSON.parse(localStorage.getItem(layoutKey(dealerId)) ?? '{}') as Partial<Kept>
  const drafts = Object.entries({ ...localStorage }).filter(([key]) => key.startsWith(prefix))
  messagingStore.set((state) => {
    state.isListOpen = kept.isListOpen ?? false
    state.windows = kept.windows ?? []
    state.drafts = Object.fromEntries(drafts.map(([key, text]) => [key.slice(prefix.length), String(text)]))
  })
  const onStorage = ({ key, newValue }: StorageEvent) => {
    if (key?.startsWith(prefix) === true) setDraft(key.slice(prefix.length), newValue ?? '')
  }
  window.addEventListener('storage', onStorage)
  return () => window.removeEventListener('storage', onStorage)
}

export function saveLayout({ isListOpen, windows }: Kept): void {
  const { dealerId } = messagingStore.get()
  if (dealerId !== '') localStorage.setItem(layoutKey(dealerId), JSON.stringify({ isListOpen, windows }))
}
