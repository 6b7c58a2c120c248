import { useCallback, useEffect, useRef, useState } from 'react'
import { useCurrentDealer } from '#client/lib/current-dealer.ts'
import { toast } from '#client/ui/toast-store.ts'
import { photosPerPost } from '#shared/limits.ts'
import { useDraft } from './draft-storage.ts'
import { keptPhotos } from './photo-queue.ts'
import {
  type DraftFault,
  emptyDraft,
  faultOf,
  faultToasts,
  isDraftTouched,
  type PostDraft,
  storedPostDraft,
  toNewPost,
} from './post-draft.ts'
import { usePostInventory } from './posting.api.ts'
import { usePhotoQueue } from './use-photo-queue.ts'
import type { VehicleDraft } from './vehicle-draft.ts'

/** Everything the Post Inventory dialog holds and does. */
export function usePostDraft(onPosted: () => void) {
  const dealer = useCurrentDealer()
  const { draft, setDraft, discard, attempt, touched, wasKept } = useDraft<PostDraft>({
    name: 'post',
    stored: storedPostDraft,
    dealerId: dealer.id,
    empty: () => emptyDraft(dealer),
    isTouched: isDraftTouched,
  })
  const photos = usePhotoQueue(draft.photos, photosPerPost)
  const [fault, setFault] = useState<DraftFault>()
  const [finishing, setFinishing] = useState(false)
  const post = usePostInventory({ attempt, discard })
  const latest = useRef(draft)
  useEffect(() => {
    latest.current = draft
  }, [draft])

  useEffect(() => setDraft((current) => ({ ...current, photos: keptPhotos(photos.list) })), [photos.list, setDraft])

  const change = useCallback(
    (part: Partial<PostDraft>) => {
      setFault(undefined)
      setDraft((current) => ({ ...current, ...part }))
    },
    [setDraft],
  )
  const changeVehicle = useCallback(
    (key: string, edit: (vehicle: VehicleDraft) => VehicleDraft) =>
      setDraft((current) => ({
        ...current,
        vehicles: current.vehicles.map((vehicle) => (vehicle.key === key ? edit(vehicle) : vehicle)),
      })),
    [setDraft],
  )
  const reset = () => {
    photos.queue.clear()
    discard()
    setFault(undefined)
  }
  const submit = async () => {
    const found = faultOf(draft)
    setFault(found)
    if (found) return toast(faultToasts[found])
    setFinishing(true)
    await photos.queue.settled()
    setFinishing(false)
    const urls = keptPhotos(photos.queue.snapshot()).map(({ url }) => url)
    post.mutate(toNewPost(latest.current, dealer.id, urls), {
      onSuccess: () => {
        photos.queue.clear()
        onPosted()
      },
    })
  }
  return {
    draft,
    change,
    changeVehicle,
    photos,
    fault,
    pending: finishing || post.isPending,
    submit,
    reset,
    touched,
    wasKept,
  }
}

export type PostDraftState = ReturnType<typeof usePostDraft>
