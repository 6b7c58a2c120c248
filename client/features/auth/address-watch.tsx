import { Suspense } from 'react'
import { useAddressRefusal } from '#client/lib/session/unconfirmed-email-refusal.ts'
import { lazyPart } from '#client/lib/screen/lazy-part.ts'

const AddressDialog = lazyPart(async () => (await import('./address-dialog.tsx')).AddressDialog)

/** Mounted on every page, because a request from any page can need a confirmed email address. */
export function AddressWatch() {
  const refusal = useAddressRefusal()
  return refusal === undefined ? null : (
    <Suspense>
      <AddressDialog {...refusal} />
    </Suspense>
  )
}
