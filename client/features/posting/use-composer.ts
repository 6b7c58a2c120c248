import { useEffect, useRef, useState } from 'react'
import { useCurrentDealer } from '#client/lib/current-dealer.ts'
import { toast } from '#client/ui/toast-store.ts'
import { photosPerComposer } from '#shared/limits.ts'
import {
  type ComposerDraft,
  emptyComposer,
  isComposerTouched,
  storedComposerDraft,
  toComposerPost,
} from './composer-draft.ts'
import { useDraft } from './draft-storage.ts'
import { keptPhotos } from './photo-queue.ts'
import { faultToasts, hasAuctionFault } from './post-draft.ts'
import { usePostInventory } from './posting.api.ts'
import { usePhotoQueue } from './use-photo-queue.ts'

/** The first thing that is wrong, in the documented order. */
function faultOf({ title, text, vehicles, auction }: ComposerDraft) {
  if (title.trim() === '') return 'title'
  if (vehicles.length === 0) return 'vehicles'
  return hasAuctionFault(title, text, auction) ? 'auction' : undefined
}

/** Everything the composer holds and does. Its draft outlives a change of mode and a reload. */
export function useComposer(onPosted: () => void) {
  const dealer = useCurrentDealer()
  const { draft, setDraft, discard, attempt } = useDraft<ComposerDraft>({
    name: 'composer',
    stored: storedComposerDraft,
    dealerId: dealer.id,
    empty: emptyComposer,
    isTouched: isComposerTouched,
  })
  const photos = usePhotoQueue(draft.photos, photosPerComposer)
  const [finishing, setFinishing] = useState(false)
  const [fault, setFault] = useState<'title' | 'vehicles' | 'auction'>()
  const post = usePostInventory({ attempt, discard })
  // What is typed while the last photos go up is posted, too.
  const latest = useRef(draft)
  useEffect(() => {
    latest.current = draft
  }, [draft])
  useEffect(() => setDraft((current) => ({ ...current, photos: keptPhotos(photos.list) })), [photos.list, setDraft])

  const change = (part: Partial<ComposerDraft>) => {
    setFault(undefined)
    setDraft((current) => ({ ...current, ...part }))
  }
  const removeVehicle = (key: string) => {
    photos.queue.removeVehicle(key)
    change({ vehicles: draft.vehicles.filter((vehicle) => vehicle.key !== key) })
  }
  const submit = async () => {
    const found = faultOf(draft)
    setFault(found)
    if (found) return toast(faultToasts[found])
    setFinishing(true)
    await photos.queue.settled()
    setFinishing(false)
    post.mutate(toComposerPost(latest.current, dealer.id, keptPhotos(photos.queue.snapshot())), {
      onSuccess: () => {
        photos.queue.clear()
        onPosted()
      },
    })
  }
  return { draft, change, removeVehicle, photos, fault, pending: finishing || post.isPending, submit }
}

export type ComposerState = ReturnType<typeof useComposer>
