import { useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { forgetAttempt, keyOfAttempt } from '#client/lib/attempts.ts'
import { useCurrentDealer } from '#client/lib/current-dealer.ts'
import { defineSlice } from '#client/lib/slice.ts'
import { useIsShown } from '#client/lib/use-is-shown.ts'
import { toast } from '#client/ui/toast-store.ts'
import { photosPerComposer, photosPerPost } from '#shared/limits.ts'
import type { CurrentUser } from '#shared/schemas/dealers.ts'
import type { NewPost, PostDetail } from '#shared/schemas/posts.ts'
import { usePostInventory } from './new-post.api.ts'
import { keptPhotos, type OutgoingPhoto } from './photos/photo-queue.ts'
import {
  type DraftFault,
  type Editing,
  editFaultToasts,
  emptyDraft,
  faultOf,
  faultyParts,
  faultToasts,
  isDraftTouched,
  placeOf,
  type PostDraft,
  storedPostDraft,
  toNewPost,
  withTitle,
} from './post-draft.ts'
import { findPostOutbox, postedDraft, type UnsentPost } from './post-outbox.ts'
import { photoFailed, usePhotoQueue } from './photos/use-photo-queue.ts'
import { newVehicle, type VehicleDraft } from './vehicle-draft.ts'

interface DraftOptions {
  /** What the form opens with. */
  start: () => PostDraft
  /** In place of the draft's own: among them those that are not on the server yet. */
  startPhotos?: readonly OutgoingPhoto[] | undefined
  photoLimit: number
  /** Where the draft is kept for a form that is opened later, and what it is without anything. */
  kept?: { as: string; empty: () => PostDraft }
  /** Of a post that is there already. */
  editing?: Editing
}

/** By draft, whichever form shows it. */
interface SentDrafts {
  /** How often it is going out just now. */
  leaving: Record<string, number>
  /** How often it was posted: another form that has come to show it meanwhile lets go of it. */
  posted: Record<string, number>
}

export const sentDrafts = defineSlice<SentDrafts>('sent-drafts', () => ({ leaving: {}, posted: {} }))

const countLeaving = (name: string, by: number) =>
  sentDrafts.set(({ leaving }) => {
    const now = (leaving[name] ?? 0) + by
    if (now > 0) leaving[name] = now
    else delete leaving[name]
  })

/** Everything that any form of a post holds: the draft, its photos, the first fault, and how it goes out. */
export function usePostDraft({ start, startPhotos, photoLimit, kept, editing }: DraftOptions) {
  const [draft, setDraft] = useState(start)
  const photos = usePhotoQueue({
    start: startPhotos ?? draft.photos,
    limit: photoLimit,
    keptAs: kept?.as,
    keep: (list) => {
      const stored = storedPostDraft.read(kept?.as)
      if (kept && (stored || list.length > 0))
        storedPostDraft.write({ ...(stored ?? kept.empty()), photos: list }, kept.as)
    },
  })
  const [fault, setFault] = useState<DraftFault>()
  const ownName = useId()
  const name = kept?.as ?? ownName
  const finishing = sentDrafts.use(({ leaving }) => (leaving[name] ?? 0) > 0)
  const isShown = useIsShown()
  const latest = useRef(draft)
  useEffect(() => {
    latest.current = draft
  }, [draft])
  useEffect(() => setDraft((current) => ({ ...current, photos: keptPhotos(photos.list) })), [photos.list])

  const change = (part: Partial<PostDraft>) => {
    setFault((found) => (found && faultyParts[found].some((name) => name in part) ? undefined : found))
    setDraft((current) => withTitle(current, { ...current, ...part }))
  }
  const changeVehicle = (key: string, edit: (vehicle: VehicleDraft) => VehicleDraft) =>
    setDraft((current) => {
      const vehicles = current.vehicles.map((vehicle) => (vehicle.key === key ? edit(vehicle) : vehicle))
      const adding = current.adding?.key === key ? edit(current.adding) : current.adding
      return withTitle(current, { ...current, vehicles, adding })
    })
  const send = async (out: (draft: PostDraft, photos: readonly OutgoingPhoto[]) => unknown) => {
    photos.queue.resume()
    await photos.queue.settled()
    const held = editing && photos.queue.snapshot().find(({ state }) => state === 'held')
    // A change does not wait for a connection as a new post does.
    if (held) return toast(photoFailed(held.name))
    // Where it was left, another form may have gone on with it.
    const since = kept && !isShown() ? storedPostDraft.read(kept.as) : undefined
    await out({ ...(since ?? latest.current), photos: keptPhotos(photos.queue.snapshot()) }, photos.queue.outgoing())
  }
  /** Says what is wrong, or waits for the last photos: what is typed meanwhile goes out, too. */
  const submit = async (out: (draft: PostDraft, photos: readonly OutgoingPhoto[]) => unknown) => {
    const found = faultOf(draft, editing)
    setFault(found)
    if (found) return toast((editing ? editFaultToasts : faultToasts)[found])
    countLeaving(name, 1)
    await send(out)
    countLeaving(name, -1)
  }
  return { draft, change, changeVehicle, photos, fault, finishing, submit }
}

function useWhenPosted(name: string, letGo: () => void): void {
  const times = sentDrafts.use(({ posted }) => posted[name] ?? 0)
  const known = useRef(times)
  const tell = useEffectEvent(letGo)
  useEffect(() => {
    if (known.current === times) return
    known.current = times
    tell()
  }, [times])
}

const forms = {
  dialog: { photoLimit: photosPerPost, empty: (dealer: CurrentUser) => emptyDraft(newVehicle(placeOf(dealer))) },
  composer: { photoLimit: photosPerComposer, empty: () => emptyDraft() },
}

/**
 * A new post in the dialog or in the composer. The draft is kept in this browser, for this dealer, until it is posted or
 * thrown away. `unsent`: one that was sent already and waits for a connection; what the form makes of it takes its place.
 */
export function useNewPost(
  form: keyof typeof forms,
  onPosted: (post: PostDetail | undefined) => void,
  unsent?: UnsentPost,
) {
  const dealer = useCurrentDealer()
  const { photoLimit, empty } = forms[form]
  const name = unsent ? `unsent.${unsent.id}` : `${form}.${dealer.id}`
  const [kept] = useState(() => unsent?.draft ?? storedPostDraft.read(name))
  const isKeptHere = unsent === undefined
  const state = usePostDraft({
    start: () => kept ?? empty(dealer),
    startPhotos: unsent?.photos,
    photoLimit,
    ...(isKeptHere && { kept: { as: name, empty: () => empty(dealer) } }),
  })
  const { draft, change, changeVehicle, photos, fault } = state
  const touched = isDraftTouched(draft)
  useEffect(() => {
    if (isKeptHere) storedPostDraft.write(touched ? draft : undefined, name)
  }, [name, draft, touched, isKeptHere])
  const blank = () => change({ ...empty(dealer), adding: undefined })
  // Of the store at once: by now nobody may look at it any more, and no effect would follow.
  const discard = () => {
    photos.queue.clear()
    if (isKeptHere) storedPostDraft.write(undefined, name)
    forgetAttempt(name)
    blank()
  }
  useWhenPosted(name, () => {
    photos.queue.clear()
    blank()
  })
  const post = usePostInventory({
    dealerId: dealer.id,
    attempt: (content) => keyOfUnsent(unsent, dealer.id, content) ?? keyOfAttempt(name, content),
    discard: (id) => {
      if (unsent && unsent.id !== id) void findPostOutbox()?.discard(unsent.id)
      discard()
      sentDrafts.set(({ posted }) => void (posted[name] = (posted[name] ?? 0) + 1))
    },
  })
  return {
    draft,
    change,
    changeVehicle,
    photos,
    fault,
    pending: state.finishing || post.isPending,
    submit: () =>
      state.submit((draft, photographs) =>
        post
          .mutateAsync({ draft, photos: photographs }, { onSuccess: ({ post: posted }) => onPosted(posted) })
          .catch(() => undefined),
      ),
    reset: discard,
    touched,
    wasKept: kept !== undefined && isKeptHere,
  }
}

/** What was not changed has the key that it waits under: it may be on the server already. */
const keyOfUnsent = (unsent: UnsentPost | undefined, dealerId: string, content: NewPost): string | undefined =>
  unsent && JSON.stringify(toNewPost(postedDraft(unsent), dealerId)) === JSON.stringify(content) ? unsent.id : undefined

export type NewPostState = ReturnType<typeof useNewPost>
