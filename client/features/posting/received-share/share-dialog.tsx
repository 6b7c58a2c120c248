import { useEffect, useEffectEvent, useState } from 'react'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { toast } from '#client/ui/toast-store.ts'
import { photoQueues } from '../photos/use-photo-queue.ts'
import { emptyDraft, isDraftTouched, placeOf, storedPostDraft } from '../post-draft.ts'
import { newVehicle } from '../vehicle-draft.ts'
import { notesOf, vinsOf, withShare } from './draft-from-share.ts'
import { dropShare, readShare, type SharedContent } from './shared-content.ts'
import { sharedPost } from './shared-post.ts'

interface ShareDialogProps {
  id: string
  /** Opens the finished draft in the Post Inventory dialog. */
  onReady: () => void
  /** Removes the id of the shared content from the URL. */
  onDone: () => void
}

/** Adds content shared by another app to the post draft, or replaces the draft with it. Publishes nothing. */
export function ShareDialog({ id, onReady, onDone }: ShareDialogProps) {
  const dealer = useCurrentDealer()
  const form = `dialog.${dealer.id}`
  const [share, setShare] = useState<SharedContent>()
  const drop = () => {
    void dropShare(id)
    onDone()
  }
  const begin = (shared: SharedContent, mode: 'add' | 'replace') => {
    if (mode === 'replace') photoQueues.get().byName[form]?.keepOnly([])
    const kept = mode === 'add' ? storedPostDraft.read(form) : undefined
    const place = placeOf(dealer)
    storedPostDraft.write(withShare(kept ?? emptyDraft(newVehicle(place)), shared, place), form)
    const handed = { files: shared.photos, vins: vinsOf(shared), notes: notesOf(shared) }
    sharedPost.set((state) => void Object.assign(state, handed))
    onReady()
    drop()
  }
  const receive = useEffectEvent((shared: SharedContent | undefined) => {
    if (shared === undefined) {
      toast({
        title: 'Nothing was shared',
        description: 'Open Lanewire once on this phone, then share again.',
        variant: 'destructive',
      })
      return onDone()
    }
    const kept = storedPostDraft.read(form)
    if (kept && isDraftTouched(kept)) setShare(shared)
    else begin(shared, 'replace')
  })
  useEffect(() => {
    let isCanceled = false
    void readShare(id)
      .catch(() => undefined)
      .then((shared) => isCanceled || receive(shared))
    return () => {
      isCanceled = true
    }
  }, [id])
  if (share === undefined) return null
  return (
    <Dialog
      open
      compact
      onOpenChange={(open) => !open && drop()}
      unsaved={false}
      title="You have a draft"
      description="Add what you shared to your draft post, or replace the draft with it."
      footer={
        <>
          <Button onClick={drop} className="max-md:w-full">
            Cancel
          </Button>
          <Button onClick={() => begin(share, 'replace')} className="max-md:w-full">
            Replace draft
          </Button>
          <Button variant="primary" onClick={() => begin(share, 'add')} className="max-md:w-full">
            Add to draft
          </Button>
        </>
      }
    >
      {null}
    </Dialog>
  )
}
