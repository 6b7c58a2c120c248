import { useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { forgetIdempotencyKey, idempotencyKeyOf } from '#client/lib/http/idempotency-key.ts'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { defineSlice } from '#client/lib/storage/store-slice.ts'
import { useIsMounted } from '#client/lib/screen/use-is-mounted.ts'
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
  faultsOf,
  fieldsOfFault,
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
  start: () => PostDraft
  /** Photos to start with instead of the draft's own. They may include photos that are not uploaded yet. */
  startPhotos?: readonly OutgoingPhoto[] | undefined
  photoLimit: number
  /** The key under which the draft is stored, and a function that returns an empty draft. */
  storage?: { key: string; empty: () => PostDraft }
  editing?: Editing
}

interface SentDrafts {
  /** How often each draft has been posted. When this count increases, other forms that show the draft are reset. */
  sendsInFlight: Record<string, number>
  /** How often each draft has been posted. When this count rises, other forms that show the draft reset. */
  posted: Record<string, number>
}

export const sentDrafts = defineSlice<SentDrafts>('sent-drafts', () => ({ sendsInFlight: {}, posted: {} }))

const countSending = (name: string, by: number) =>
  sentDrafts.set(({ sendsInFlight }) => {
    const now = (sendsInFlight[name] ?? 0) + by
    if (now > 0) sendsInFlight[name] = now
    else delete sendsInFlight[name]
  })

export function usePostDraft({ start, startPhotos, photoLimit, storage, editing }: DraftOptions) {
  const [draft, setDraft] = useState(start)
  const photos = usePhotoQueue({
    start: startPhotos ?? draft.photos,
    limit: photoLimit,
    draftName: storage?.key,
    keep: (list) => {
      const stored = storedPostDraft.read(storage?.key)
      if (storage && (stored || list.length > 0))
        storedPostDraft.write({ ...(stored ?? storage.empty()), photos: list }, storage.key)
    },
  })
  const [faults, setFaults] = useState<readonly DraftFault[]>([])
  const ownName = useId()
  const name = storage?.key ?? ownName
  const isSending = sentDrafts.use(({ sendsInFlight }) => (sendsInFlight[name] ?? 0) > 0)
  const isMounted = useIsMounted()
  const latest = useRef(draft)
  useEffect(() => {
    latest.current = draft
  }, [draft])
  useEffect(() => setDraft((current) => ({ ...current, photos: keptPhotos(photos.list) })), [photos.list])

  const change = (part: Partial<PostDraft>) => {
    setFaults((found) => found.filter((fault) => !fieldsOfFault[fault].some((name) => name in part)))
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
    // Report a photo that is waiting for a connection: unlike a new post, an edit is not stored to be sent later.
    if (held) return toast(photoFailed(held.name))
    // If the form was closed in the meantime, read the stored draft, because another form may have changed it.
    const since = storage && !isMounted() ? storedPostDraft.read(storage.key) : undefined
    await out({ ...(since ?? latest.current), photos: keptPhotos(photos.queue.snapshot()) }, photos.queue.outgoing())
  }
  /** Reports the first error. Without errors, waits for uploads and then sends the draft, including text typed while waiting. */
  const submit = async (out: (draft: PostDraft, photos: readonly OutgoingPhoto[]) => unknown) => {
    const found = faultsOf(draft, editing)
    setFaults(found)
    const [first] = found
    if (first) return toast((editing ? editFaultToasts : faultToasts)[first])
    countSending(name, 1)
    await send(out)
    countSending(name, -1)
  }
  return { draft, change, changeVehicle, photos, faults, isSending, submit }
}

function useWhenPosted(name: string, onPosted: () => void): void {
  const times = sentDrafts.use(({ posted }) => posted[name] ?? 0)
  const known = useRef(times)
  const handlePosted = useEffectEvent(onPosted)
  useEffect(() => {
    if (known.current === times) return
    known.current = times
    handlePosted()
  }, [times])
}

const forms = {
  dialog: { photoLimit: photosPerPost, empty: (dealer: CurrentUser) => emptyDraft(newVehicle(placeOf(dealer))) },
  composer: { photoLimit: photosPerComposer, empty: () => emptyDraft() },
}

/** The state of a new post. If `unsent` is given, the form edits and replaces that post, which is waiting to be sent. */
export function useNewPost(
  form: keyof typeof forms,
  onPosted: (post: PostDetail | undefined) => void,
  unsent?: UnsentPost,
) {
  const dealer = useCurrentDealer()
  const { photoLimit, empty } = forms[form]
  const name = unsent ? `unsent.${unsent.id}` : `${form}.${dealer.id}`
  const [restored] = useState(() => unsent?.draft ?? storedPostDraft.read(name))
  const isStored = unsent === undefined
  const state = usePostDraft({
    start: () => restored ?? empty(dealer),
    startPhotos: unsent?.photos,
    photoLimit,
    ...(isStored && { storage: { key: name, empty: () => empty(dealer) } }),
  })
  const { draft, change, changeVehicle, photos, faults } = state
  const touched = isDraftTouched(draft)
  useEffect(() => {
    if (isStored) storedPostDraft.write(touched ? draft : undefined, name)
  }, [name, draft, touched, isStored])
  const blank = () => change({ ...empty(dealer), adding: undefined })
  // Clear the stored draft here, because the effect that stores it does not run once the form has unmounted.
  const discard = () => {
    photos.queue.clear()
    if (isStored) storedPostDraft.write(undefined, name)
    forgetIdempotencyKey(name)
    blank()
  }
  useWhenPosted(name, () => {
    photos.queue.clear()
    blank()
  })
  const post = usePostInventory({
    dealerId: dealer.id,
    idempotencyKeyFor: (content) => keyOfUnsent(unsent, dealer.id, content) ?? idempotencyKeyOf(name, content),
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
    faults,
    pending: state.isSending || post.isPending,
    submit: () =>
      state.submit((draft, photographs) =>
        post
          .mutateAsync({ draft, photos: photographs }, { onSuccess: ({ post: posted }) => onPosted(posted) })
          .catch(() => undefined),
      ),
    reset: discard,
    touched,
    wasKept: restored !== undefined && isStored,
  }
}

/** Returns the unsent post's idempotency key if its content is unchanged, because the server may already have received it. */
const keyOfUnsent = (unsent: UnsentPost | undefined, dealerId: string, content: NewPost): string | undefined =>
  unsent && JSON.stringify(toNewPost(postedDraft(unsent), dealerId)) === JSON.stringify(content) ? unsent.id : undefined

export type NewPostState = ReturnType<typeof useNewPost>
