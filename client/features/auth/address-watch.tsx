import { lazy, Suspense } from 'react'
import { useAddressRefusal } from '#client/lib/address-refusal.ts'

const AddressDialog = lazy(async () => ({ default: (await import('./address-dialog.tsx')).AddressDialog }))

/** Mounted on every page: shows the dialog when a call is refused because of an unconfirmed address. */
export function AddressWatch() {
  const reason = useAddressRefusal()
  return reason === undefined ? null : (
    <Suspense>
      <AddressDialog reason={reason} />
    </Suspense>
  )
}
