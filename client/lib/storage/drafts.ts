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
const commentDraftPrefix = 'comment.'
/** Maximum number of draft comments. Beyond it, the draft for the oldest post is dropped. Post ids sort by age. */
const commentDraftsMax = 50

/** Returns the key of a draft comment on a post. The key of a chat's draft is the chat's id. */
export const commentDraftKey = (postId: string): string => commentDraftPrefix + postId

/** Returns the name of a draft's idempotency key, which is deleted along with the draft. */
export const draftNameOf = (dealerId: string, draftKey: string): string => `${dealerId}.${draftKey}`

export function useDraft(draftKey: string): string {
  return draftsStore.use(({ texts }) => texts[draftKey] ?? '')
}

/** Saves a draft in this window and in all other windows of the browser. An empty string deletes the draft. */
export function saveDraft(draftKey: string, text: string): void {
  const { dealerId } = draftsStore.get()
  setDraft(draftKey, text)
  if (dealerId !== '') storedDrafts.write(text === '' ? undefined : text, `${dealerId}.${draftKey}`)
  if (text === '') forgetIdempotencyKey(draftNameOf(dealerId, draftKey))
  else for (const old of commentDrafts().slice(commentDraftsMax)) if (old !== draftKey) saveDraft(old, '')
}

/** Deletes a draft after it was sent, unless it has been edited in the meantime. */
export function draftSent(draftKey: string, content: string): void {
  if (draftsStore.get().texts[draftKey]?.trim() === content) saveDraft(draftKey, '')
}

/** Deletes draft comments, unsent forms, shared content and the wanted path, but not chat drafts. Call this on sign-out. */
export function forgetTypedText(): void {
  for (const draftKey of commentDrafts()) saveDraft(draftKey, '')
  forgetForms()
  forgetShares()
  forgetWantedPath()
}

const commentDrafts = () =>
  Object.keys(draftsStore.get().texts)
    .filter((draftKey) => draftKey.startsWith(commentDraftPrefix))
    .toSorted()
    .toReversed()

function setDraft(draftKey: string, text: string): void {
  draftsStore.set(({ texts }) => {
    if (text === '') delete texts[draftKey]
    else texts[draftKey] = text
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
