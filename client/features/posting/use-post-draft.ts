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
import { countsTowardLimit, keptPhotos, type OutgoingPhoto, type PhotoQueue } from './photos/photo-queue.ts'
import {
  type DraftFault,
  type Editing,
  editFaultToasts,
  emptyDraft,
  faultsOf,
  fieldsOfFault,
  faultToasts,
  isDraftTouched,
  isPosted,
  leftVehicles,
  placeOf,
  type PostDraft,
  storedPostDraft,
  toNewPost,
  vehiclesLeftOut,
  withoutLeft,
  withoutPosted,
  withTitle,
} from './post-draft.ts'
import { findPostOutbox, postedDraft, type UnsentPost } from './post-outbox.ts'
import { photoFailed, photoQueues, usePhotoQueue } from './photos/use-photo-queue.ts'
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
  /** How many sends of each draft are in progress. */
  sendsInFlight: Record<string, number>
  /** The last post made from each draft. When it changes, every form that shows the draft keeps only the rest. */
  posted: Record<string, PostDraft>
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
  const replace = (edit: (current: PostDraft) => PostDraft) => {
    setFaults([])
    setDraft(edit)
  }
  const changeVehicle = (key: string, edit: (vehicle: VehicleDraft) => VehicleDraft) =>
    setDraft((current) => {
      const vehicles = current.vehicles.map((vehicle) => (vehicle.key === key ? edit(vehicle) : vehicle))
      const adding = current.adding?.key === key ? edit(current.adding) : current.adding
      return withTitle(current, { ...current, vehicles, adding })
    })
  /** Returns the draft, or the stored draft if the form has been closed, because another form may have changed it. */
  const current = () => (storage && !isMounted() ? storedPostDraft.read(storage.key) : latest.current)
  const send = async (out: (draft: PostDraft, photos: readonly OutgoingPhoto[]) => unknown) => {
    photos.queue.resume()
    await photos.queue.settled()
    const held = editing && photos.queue.snapshot().find(({ state }) => state === 'held')
    // Report a photo that is waiting for a connection: unlike a new post, an edit is not stored to be sent later.
    if (held) return toast(photoFailed(held.name))
    await out(
      { ...(current() ?? latest.current), photos: keptPhotos(photos.queue.snapshot()) },
      photos.queue.outgoing(),
    )
  }
  /** Reports the first error. Without errors, waits for uploads and then sends the draft, including text typed while waiting. */
  const submit = async (out: (draft: PostDraft, photos: readonly OutgoingPhoto[]) => unknown) => {
    const found = faultsOf(draft, { editing, photos: photos.list })
    setFaults(found)
    const [first] = found
    if (first) return toast((editing ? editFaultToasts : faultToasts)[first])
    countSending(name, 1)
    await send(out)
    countSending(name, -1)
  }
  return { draft, current, change, replace, changeVehicle, photos, faults, isSending, submit }
}

function useWhenPosted(name: string, onPosted: (posted: PostDraft) => void): void {
  const posted = sentDrafts.use((state) => state.posted[name])
  const known = useRef(posted)
  const handlePosted = useEffectEvent(onPosted)
  useEffect(() => {
    if (known.current === posted) return
    known.current = posted
    if (posted) handlePosted(posted)
  }, [posted])
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
  const { draft, change, replace, changeVehicle, photos, faults } = state
  const touched = isDraftTouched(draft, photos.list.filter(countsTowardLimit))
  useEffect(() => {
    if (isStored) storedPostDraft.write(touched ? draft : undefined, name)
  }, [name, draft, touched, isStored])
  /** Removes the posted photos from the queue. Returns the rest of the draft, or undefined if nothing is left. */
  const keepRest = (queue: PhotoQueue, whole: PostDraft | undefined, posted: PostDraft) => {
    const livePhotos = () => queue.snapshot().filter(countsTowardLimit)
    const rest = withoutPosted(whole ?? empty(dealer), empty(dealer), { posted, photos: livePhotos() })
    queue.keepOnly([...rest.vehicles, ...(rest.adding ? [rest.adding] : [])].map(({ key }) => key))
    return isDraftTouched(rest, livePhotos()) ? rest : undefined
  }
  // Store the draft here, because the effect that stores it does not run once the form has unmounted.
  const store = (next: PostDraft | undefined) => {
    if (!isStored) return
    storedPostDraft.write(undefined, name)
    if (next) storedPostDraft.write(next, name)
  }
  const reset = () => {
    photos.queue.keepOnly([])
    store(undefined)
    forgetIdempotencyKey(name)
    replace(() => empty(dealer))
  }
  useWhenPosted(name, (posted) => {
    const rest = keepRest(photos.queue, draft, posted) ?? empty(dealer)
    replace(() => rest)
  })
  const post = usePostInventory({
    dealerId: dealer.id,
    idempotencyKeyFor: (content) => keyOfUnsent(unsent, dealer.id, content) ?? idempotencyKeyOf(name, content),
    onSent: (posted, outboxId) => {
      if (unsent && unsent.id !== outboxId) void findPostOutbox()?.discard(unsent.id)
      // If the form was closed, another form may show the draft with a new queue.
      store(keepRest(photoQueues.get().byName[name] ?? photos.queue, state.current(), posted))
      forgetIdempotencyKey(name)
      sentDrafts.set((state) => void Object.assign(state.posted, { [name]: posted }))
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
      state.submit((whole, outgoing) => {
        const left = leftVehicles(whole, photos.queue.snapshot().filter(countsTowardLimit)).length
        if (unsent && left > 0) return toast(vehiclesLeftOut)
        const sent = { draft: withoutLeft(whole, empty(dealer)), photos: outgoing.filter(isPosted(whole)), left }
        return post
          .mutateAsync(sent, { onSuccess: ({ post: published }) => onPosted(published) })
          .catch(() => undefined)
      }),
    reset,
    /** True if vehicles that the post leaves out stay in the draft. False for an unsent post, which must not leave out any. */
    leavesOut: isStored,
    touched,
    wasKept: restored !== undefined && isStored,
  }
}

/** Returns the unsent post's idempotency key if its content is unchanged, because the server may already have received it. */
const keyOfUnsent = (unsent: UnsentPost | undefined, dealerId: string, content: NewPost): string | undefined =>
  unsent && JSON.stringify(toNewPost(postedDraft(unsent), dealerId)) === JSON.stringify(content) ? unsent.id : undefined

export type NewPostState = ReturnType<typeof useNewPost>
