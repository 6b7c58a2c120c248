import { Suspense } from 'react'
import { useAddressRefusal } from '#client/lib/session/unconfirmed-email-refusal.ts'
import { lazyPart } from '#client/lib/screen/lazy-part.ts'

const AddressDialog = lazyPart(async () => (await import('./address-dialog.tsx')).AddressDialog)

/** Mounted on every page: shows the dialog when a call is refused because of an unconfirmed address. */
export function AddressWatch() {
  const reason = useAddressRefusal()
  return reason === undefined ? null : (
    <Suspense>
      <AddressDialog reason={reason} />
    </Suspense>
  )
}
