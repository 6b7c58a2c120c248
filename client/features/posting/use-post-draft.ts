import { useEffect, useRef, useState } from 'react'
import { forgetAttempt, keyOfAttempt } from '#client/lib/attempts.ts'
import { useCurrentDealer } from '#client/lib/current-dealer.ts'
import { toast } from '#client/ui/toast-store.ts'
import { photosPerComposer, photosPerPost } from '#shared/limits.ts'
import type { CurrentUser } from '#shared/schemas/dealers.ts'
import { keptPhotos } from './photo-queue.ts'
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
} from './post-draft.ts'
import { usePostInventory } from './posting.api.ts'
import { usePhotoQueue } from './use-photo-queue.ts'
import { newVehicle, type VehicleDraft } from './vehicle-draft.ts'

interface DraftOptions {
  /** What the form opens with. */
  start: () => PostDraft
  photoLimit: number
  /** Of a post that is there already. */
  editing?: Editing
}

/** Everything that any form of a post holds: the draft, its photos, the first fault, and how it goes out. */
export function usePostDraft({ start, photoLimit, editing }: DraftOptions) {
  const [draft, setDraft] = useState(start)
  const photos = usePhotoQueue(draft.photos, photoLimit)
  const [fault, setFault] = useState<DraftFault>()
  const [finishing, setFinishing] = useState(false)
  const latest = useRef(draft)
  useEffect(() => {
    latest.current = draft
  }, [draft])
  useEffect(() => setDraft((current) => ({ ...current, photos: keptPhotos(photos.list) })), [photos.list])

  const change = (part: Partial<PostDraft>) => {
    setFault((found) => (found && faultyParts[found].some((name) => name in part) ? undefined : found))
    setDraft((current) => ({ ...current, ...part }))
  }
  const changeVehicle = (key: string, edit: (vehicle: VehicleDraft) => VehicleDraft) =>
    setDraft((current) => ({
      ...current,
      vehicles: current.vehicles.map((vehicle) => (vehicle.key === key ? edit(vehicle) : vehicle)),
    }))
  /** Says what is wrong, or waits for the last photos: what is typed meanwhile goes out, too. */
  const submit = async (send: (draft: PostDraft) => void) => {
    const found = faultOf(draft, editing)
    setFault(found)
    if (found) return toast((editing ? editFaultToasts : faultToasts)[found])
    setFinishing(true)
    await photos.queue.settled()
    setFinishing(false)
    send({ ...latest.current, photos: keptPhotos(photos.queue.snapshot()) })
  }
  return { draft, change, changeVehicle, photos, fault, finishing, submit }
}

const forms = {
  dialog: { photoLimit: photosPerPost, empty: (dealer: CurrentUser) => emptyDraft(newVehicle(placeOf(dealer))) },
  composer: { photoLimit: photosPerComposer, empty: () => emptyDraft() },
}

/**
 * A new post in the dialog or in the composer. The draft is kept in this browser, for this dealer, until it is posted or
 * thrown away.
 */
export function useNewPost(form: keyof typeof forms, onPosted: () => void) {
  const dealer = useCurrentDealer()
  const { photoLimit, empty } = forms[form]
  const name = `${form}.${dealer.id}`
  const [kept] = useState(() => storedPostDraft.read(name))
  const state = usePostDraft({ start: () => kept ?? empty(dealer), photoLimit })
  const { draft, change, changeVehicle, photos, fault } = state
  const touched = isDraftTouched(draft)
  useEffect(() => storedPostDraft.write(touched ? draft : undefined, name), [name, draft, touched])
  // Of the store at once: by now nobody may look at it any more, and no effect would follow.
  const discard = () => {
    storedPostDraft.write(undefined, name)
    forgetAttempt(name)
    change(empty(dealer))
  }
  const post = usePostInventory({ attempt: (content) => keyOfAttempt(name, content), discard })
  return {
    draft,
    change,
    changeVehicle,
    photos,
    fault,
    pending: state.finishing || post.isPending,
    submit: () =>
      state.submit((ready) =>
        post.mutate(toNewPost(ready, dealer.id), {
          onSuccess: () => {
            photos.queue.clear()
            onPosted()
          },
        }),
      ),
    reset: () => {
      photos.queue.clear()
      discard()
    },
    touched,
    wasKept: kept !== undefined,
  }
}

export type NewPostState = ReturnType<typeof useNewPost>
