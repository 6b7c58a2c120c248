import { Suspense } from 'react'
import { useAddressRefusal } from '#client/lib/session/unconfirmed-email-refusal.ts'
import { lazyPart } from '#client/lib/screen/lazy-part.ts'

const AddressDialog = lazyPart(async () => (await import('./address-dialog.tsx')).AddressDialog)

/** Shows the dialog when the server refuses a request because of an unconfirmed email address. Mounted on every page. */
export function AddressWatch() {
  const reason = useAddressRefusal()
  return reason === undefined ? null : (
    <Suspense>
      <AddressDialog reason={reason} />
    </Suspense>
  )
}
