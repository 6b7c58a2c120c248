import { defineSlice } from './slice.ts'

interface Drafts {
  dealerId: string
  /** Unsent texts by what they are about. */
  texts: Record<string, string>
}

export const draftsStore = defineSlice<Drafts>('drafts', () => ({ dealerId: '', texts: {} }))

const prefixOf = (dealerId: string) => `lanewire.draft.${dealerId}.`
const aboutComments = 'comment.'
/** Beyond these the draft on the oldest post gives way: the ids of posts rise. */
const commentDraftsMax = 50

/** A chat's draft goes by the id of the chat alone. */
export const aboutPost = (postId: string): string => aboutComments + postId

/** What is being written, per dealer of this browser; empty when nothing is. */
export function useDraft(about: string): string {
  return draftsStore.use(({ texts }) => texts[about] ?? '')
}

/** Keeps a draft, here and in every other window of this browser. Empty forgets it. */
export function saveDraft(about: string, text: string): void {
  const { dealerId } = draftsStore.get()
  setDraft(about, text)
  if (dealerId !== '') write(prefixOf(dealerId) + about, text)
  if (text !== '') for (const old of commentDrafts().slice(commentDraftsMax)) if (old !== about) saveDraft(old, '')
}

function write(key: string, text: string): void {
  try {
    if (text === '') localStorage.removeItem(key)
    else localStorage.setItem(key, text)
  } catch {
    // A full or forbidden store: the draft lives as long as the page.
  }
}

/** Forgets a draft that was sent, unless it has been written on since. */
export function draftSent(about: string, content: string): void {
  if (draftsStore.get().texts[about]?.trim() === content) saveDraft(about, '')
}

/** For who signs out: comments are public words half said. Chats keep theirs, as they keep what is on its way. */
export function forgetCommentDrafts(): void {
  for (const about of commentDrafts()) saveDraft(about, '')
}

/** On the newest post first. */
const commentDrafts = () =>
  Object.keys(draftsStore.get().texts)
    .filter((about) => about.startsWith(aboutComments))
    .toSorted()
    .toReversed()

function setDraft(about: string, text: string): void {
  draftsStore.set(({ texts }) => {
    if (text === '') delete texts[about]
    else texts[about] = text
  })
}

/** Restores a dealer's drafts and follows those of the other windows. Answers how to stop. */
export function startDrafts(dealerId: string): () => void {
  const prefix = prefixOf(dealerId)
  const kept = Object.entries({ ...localStorage }).filter(([key]) => key.startsWith(prefix))
  draftsStore.set((state) => {
    state.dealerId = dealerId
    state.texts = Object.fromEntries(kept.map(([key, text]) => [key.slice(prefix.length), String(text)]))
  })
  const onStorage = ({ key, newValue }: StorageEvent) => {
    if (key?.startsWith(prefix) === true) setDraft(key.slice(prefix.length), newValue ?? '')
  }
  window.addEventListener('storage', onStorage)
  return () => window.removeEventListener('storage', onStorage)
}
