import { useRef } from 'react'
import { PostDialog } from '#client/features/posting/post-dialog.tsx'
import { DemandPanel } from '#client/features/wanted/demand-panel.tsx'
import { useOfferToOrder } from '#client/features/wanted/wanted.api.ts'
import { toast } from '#client/ui/toast-store.ts'
import type { PostDetail } from '#shared/schemas/posts.ts'
import type { DemandOrder } from '#shared/schemas/wanted.ts'

/** Post Inventory with who wants what is being posted, and the offer to the best of them. */
export function PostInventory({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const chosen = useRef<{ vin: string; order: DemandOrder }>(undefined)
  const offer = useOfferToOrder()
  const offerPosted = async ({ vehicles }: PostDetail) => {
    const best = chosen.current
    const vehicle = best && vehicles.find(({ vin }) => vin === best.vin)
    if (!vehicle) return
    const { ref } = best.order
    // What is refused is said by the mutation itself; by then the dialog is gone.
    const made = await offer.mutateAsync({ ref, vehicleId: vehicle.id }).catch(() => undefined)
    if (made) toast({ title: 'Posted and offered', description: `${made.buyer.name} has 24 hours to answer` })
  }
  return (
    <PostDialog
      open={open}
      onOpenChange={onOpenChange}
      onPosted={(post) => void offerPosted(post)}
      renderDemand={(vehicle) => <DemandPanel vehicle={vehicle} onChoose={(best) => void (chosen.current = best)} />}
    />
  )
}
