import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { reasonOf } from '#client/lib/http/api.ts'
import { useKeptFormState } from '#client/lib/storage/kept-forms.ts'
import { faultOfAmount, typedAmount } from '#client/lib/form/typed-amount.ts'
import { newId } from '#client/lib/http/new-id.ts'
import { FormDialog } from '#client/ui/form-dialog.tsx'
import { Field } from '#client/ui/field.tsx'
import { formatMoney, formatVehicle } from '#client/ui/format.ts'
import { Input } from '#client/ui/input.tsx'
import { PriceWithFee } from '#client/ui/price-with-fee.tsx'
import { toast } from '#client/ui/toast-store.ts'
import type { Post, Vehicle } from '#shared/schemas/posts.ts'
import { offerTermsQuery, useMakeOffer } from './offers.api.ts'

export function OfferDialog({ post, vehicle, onClose }: { post: Post; vehicle: Vehicle; onClose: () => void }) {
  const make = useMakeOffer(post.id)
  const terms = useQuery(offerTermsQuery())
  const {
    values: { text },
    ...persisted
  } = useKeptFormState(`offer.${vehicle.id}`, { text: '' })
  const [error, setError] = useState<string>()
  /** The last amount sent and its idempotency key. A retry of that amount reuses the key, because the response may have been lost. */
  const sent = useRef<{ amount: number; key: string }>(undefined)
  const { year, make: brand, model } = vehicle
  const name = formatVehicle({ year, make: brand, model })
  const submit = () => {
    const amount = typedAmount(text)
    const fault = faultOfAmount(amount)
    if (amount === undefined || fault !== undefined) return setError(fault)
    if (sent.current?.amount !== amount) sent.current = { amount, key: newId() }
    // The handlers also run if the dealer has left the page.
    make.mutateAsync({ vehicleId: vehicle.id, ...sent.current }).then(
      () => {
        persisted.forget()
        toast({ title: 'Offer sent', description: `${post.dealer.name} has 24 hours to answer` })
        onClose()
      },
      (failure: unknown) => setError(reasonOf(failure)),
    )
  }
  return (
    <FormDialog
      unsaved={false}
      title="Make an offer"
      description={`${name}${vehicle.price === null ? '' : `, asking ${formatMoney(vehicle.price)}`}. ${post.dealer.name} has 24 hours to accept, counter or decline.`}
      confirmLabel={make.isPending ? 'Sending...' : 'Send offer'}
      busy={make.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label="Your offer" required error={error} hint="US dollars">
        <Input
          inputMode="decimal"
          autoComplete="off"
          value={text}
          onChange={(event) => {
            persisted.set('text', event.target.value)
            setError(undefined)
          }}
        />
      </Field>
      <PriceWithFee price={typedAmount(text) ?? 0} fee={terms.data?.buyFee} className="mt-2" />
    </FormDialog>
  )
}
