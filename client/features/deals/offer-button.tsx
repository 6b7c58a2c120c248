import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { lazyPart } from '#client/lib/screen/lazy-part.ts'
import { Button } from '#client/ui/button.tsx'
import { ButtonLink } from '#client/ui/button-link.tsx'
import { formatMoney } from '#client/ui/format.ts'
import type { Post, Vehicle } from '#shared/schemas/posts.ts'
import { offersQuery } from './offers.api.ts'

// Load the dialog's code on the first press, because every card has this button.
const OfferDialog = lazyPart(async () => (await import('./offer-dialog.tsx')).OfferDialog)

interface OfferButtonProps {
  post: Post
  vehicle: Vehicle
}

/** The dialog stays open even if the vehicle is sold in the meantime. */
export function OfferButton({ post, vehicle }: OfferButtonProps) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <OfferOpener post={post} vehicle={vehicle} onOpen={() => setOpen(true)} />
      {open ? (
        <Suspense fallback={null}>
          <OfferDialog post={post} vehicle={vehicle} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  )
}

/** Shows the open offer between the dealer and the seller on the vehicle, or the button if there is none. */
function OfferOpener({ post, vehicle, onOpen }: OfferButtonProps & { onOpen: () => void }) {
  const me = useCurrentDealer()
  const { data: offers = [] } = useQuery(offersQuery())
  if (post.dealer.id === me.id || vehicle.status !== 'available' || post.status !== 'active') return null
  const own = offers.find(
    ({ vehicleId, status, buyer }) => vehicleId === vehicle.id && status === 'open' && buyer.id === me.id,
  )
  if (own) {
    return (
      <ButtonLink size="sm" href={own.turn === 'buyer' ? '/deals' : '/deals?stage=waiting'}>
        {own.turn === 'buyer' ? 'Offered to you' : 'Your offer'}: {formatMoney(own.amount)}
      </ButtonLink>
    )
  }
  return (
    <Button size="sm" onClick={onOpen}>
      Make offer
    </Button>
  )
}
