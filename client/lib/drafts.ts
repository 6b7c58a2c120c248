import { forgetAttempt } from './attempts.ts'
import { isText } from './guards.ts'
import { forgetForms } from './persisted.ts'
import { defineSlice } from './slice.ts'
import { defineStored } from './storage.ts'
import { forgetWantedPath } from './wanted-path.ts'

interface Drafts {
  dealerId: string
  /** Unsent texts by what they are about. */
  texts: Record<string, string>
}

export const draftsStore = defineSlice<Drafts>('drafts', () => ({ dealerId: '', texts: {} }))

/** By dealer and what it is about. */
const storedDrafts = defineStored({ key: 'lanewire.draft', version: 1, isValue: isText })
const aboutComments = 'comment.'
/** Beyond these the draft on the oldest post gives way: the ids of posts rise. */
const commentDraftsMax = 50

/** A chat's draft goes by the id of the chat alone. */
export const aboutPost = (postId: string): string => aboutComments + postId

/** Under which name the text is sent: a draft that is forgotten takes what was sent of it along. */
export const attemptAbout = (dealerId: string, about: string): string => `${dealerId}.${about}`

/** What is being written, per dealer of this browser; empty when nothing is. */
export function useDraft(about: string): string {
  return draftsStore.use(({ texts }) => texts[about] ?? '')
}

/** Keeps a draft, here and in every other window of this browser. Empty forgets it. */
export function saveDraft(about: string, text: string): void {
  const { dealerId } = draftsStore.get()
  setDraft(about, text)
  if (dealerId !== '') storedDrafts.write(text === '' ? undefined : text, `${dealerId}.${about}`)
  if (text === '') forgetAttempt(attemptAbout(dealerId, about))
  else for (const old of commentDrafts().slice(commentDraftsMax)) if (old !== about) saveDraft(old, '')
}

/** Forgets a draft that was sent, unless it has been written on since. */
export function draftSent(about: string, content: string): void {
  if (draftsStore.get().texts[about]?.trim() === content) saveDraft(about, '')
}

/**
 * For who signs out: what was half typed here, and where they wanted to go. Comments are public words half said; chats keep theirs, as they
 * keep what is on its way.
 */
export function forgetTyped(): void {
  for (const about of commentDrafts()) saveDraft(about, '')
  forgetForms()
  forgetWantedPath()
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
  const prefix = `${dealerId}.`
  const kept = storedDrafts.entries().filter(([of]) => of.startsWith(prefix))
  draftsStore.set((state) => {
    state.dealerId = dealerId
    state.texts = Object.fromEntries(kept.map(([of, text]) => [of.slice(prefix.length), text]))
  })
  return storedDrafts.onChange((of) => {
    if (of.startsWith(prefix)) setDraft(of.slice(prefix.length), storedDrafts.read(of) ?? '')
  })
}
