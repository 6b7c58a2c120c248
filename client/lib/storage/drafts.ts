import { forgetIdempotencyKey } from '../http/idempotency-key.ts'
import { isText } from '../http/type-guards.ts'
import { forgetForms } from './kept-forms.ts'
import { forgetShares } from '../shared-cache.ts'
import { defineSlice } from './store-slice.ts'
import { defineStored } from './browser-storage.ts'
import { forgetWantedPath } from '../session/path-after-sign-in.ts'

interface Drafts {
  dealerId: string
  texts: Record<string, string>
}

export const draftsStore = defineSlice<Drafts>('drafts', () => ({ dealerId: '', texts: {} }))

const storedDrafts = defineStored({ key: 'lanewire.draft', version: 1, isValue: isText })
const aboutComments = 'comment.'
/** Maximum number of draft comments. Beyond it, the draft for the oldest post is dropped. Post ids sort by age. */
const commentDraftsMax = 50

/** Returns the key of a draft comment on a post. The key of a chat's draft is the chat's id. */
export const aboutPost = (postId: string): string => aboutComments + postId

/** Returns the name of a draft's idempotency key, which is deleted along with the draft. */
export const attemptAbout = (dealerId: string, about: string): string => `${dealerId}.${about}`

export function useDraft(about: string): string {
  return draftsStore.use(({ texts }) => texts[about] ?? '')
}

/** Saves a draft in this window and in all other windows of the browser. An empty string deletes the draft. */
export function saveDraft(about: string, text: string): void {
  const { dealerId } = draftsStore.get()
  setDraft(about, text)
  if (dealerId !== '') storedDrafts.write(text === '' ? undefined : text, `${dealerId}.${about}`)
  if (text === '') forgetIdempotencyKey(attemptAbout(dealerId, about))
  else for (const old of commentDrafts().slice(commentDraftsMax)) if (old !== about) saveDraft(old, '')
}

/** Deletes a draft after it was sent, unless it has been edited in the meantime. */
export function draftSent(about: string, content: string): void {
  if (draftsStore.get().texts[about]?.trim() === content) saveDraft(about, '')
}

/** Deletes draft comments, unsent forms, shared content and the wanted path, but not chat drafts. Call this on sign-out. */
export function forgetTyped(): void {
  for (const about of commentDrafts()) saveDraft(about, '')
  forgetForms()
  forgetShares()
  forgetWantedPath()
}

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

/** Restores a dealer's drafts. Then applies changes from other windows, until the returned function is called. */
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
