import { useState } from 'react'
import { PostDialog } from '#client/features/posting/post-dialog.tsx'
import { type ChosenOrder, DemandPanel } from '#client/features/wanted/demand-panel.tsx'
import { useOfferToOrder } from '#client/features/wanted/wanted.api.ts'
import { toast } from '#client/ui/toast-store.ts'
import type { PostDetail } from '#shared/schemas/posts.ts'

/** The post dialog with a list of buyers who want the vehicle. After posting, sends an offer to the buyer whom the dealer chose. */
export function PostInventory({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const [chosen, setChosen] = useState<ChosenOrder>()
  const offer = useOfferToOrder()
  const offerPosted = async (post: PostDetail | undefined) => {
    setChosen(undefined)
    if (chosen && post === undefined)
      toast({
        title: 'The offer was not sent',
        description: 'Your post will be sent automatically without the offer. Matching buyers will be notified then.',
      })
    const vehicle = chosen && post?.vehicles.find(({ vin }) => vin === chosen.vin)
    if (!vehicle) return
    // Ignore errors, because the mutation shows them as a toast.
    const made = await offer.mutateAsync({ ref: chosen.ref, vehicleId: vehicle.id }).catch(() => undefined)
    if (made) toast({ title: 'Posted and offered', description: `${made.buyer.name} has 24 hours to answer` })
  }
  return (
    <PostDialog
      open={open}
      onOpenChange={onOpenChange}
      onPosted={(post) => void offerPosted(post)}
      renderDemand={(vehicle, as) => <DemandPanel vehicle={vehicle} {...as} chosen={chosen} onChoose={setChosen} />}
    />
  )
}
