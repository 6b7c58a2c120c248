import { type FormEvent, useState } from 'react'
import { typedNumber } from '#client/lib/form/typed-amount.ts'
import { Button } from '#client/ui/button.tsx'
import { Field } from '#client/ui/field.tsx'
import { formatMoney } from '#client/ui/format.ts'
import { Input } from '#client/ui/input.tsx'
import { PriceWithFee } from '#client/ui/price-with-fee.tsx'
import { buyFeeFlatMax, buyFeePercentMax } from '#shared/buy-fee.ts'
import type { BuyFee } from '#shared/schemas/dealers.ts'
import { useChangeNetwork } from '../admin.api.ts'

function feeIn(text: string, most: number): number | undefined {
  const words = text.replaceAll('%', '').trim()
  const fee = words === '' ? 0 : typedNumber(words)
  return fee !== undefined && fee <= most && Number(fee.toFixed(2)) === fee ? fee : undefined
}

const shown = (value: number | undefined) => (value ? String(value) : '')
const examplePrice = 20_000

/** Saves the fee only when Save is pressed, because a half-typed fee would otherwise apply. */
export function AdminBuyFee({ fee }: { fee: BuyFee | null }) {
  const change = useChangeNetwork()
  const known = { flat: shown(fee?.flat), percent: shown(fee?.percent) }
  const [draft, setDraft] = useState(known)
  const flat = feeIn(draft.flat, buyFeeFlatMax)
  const percent = feeIn(draft.percent, buyFeePercentMax)
  const wanted = flat === undefined || percent === undefined ? undefined : { flat, percent }
  const changed = draft.flat !== known.flat || draft.percent !== known.percent
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (wanted) change.mutate({ buyFee: wanted.flat > 0 || wanted.percent > 0 ? wanted : null })
  }
  return (
    <form noValidate aria-label="Buy fee" onSubmit={submit}>
      <p className="font-medium">Buy fee</p>
      <p className="mb-2 text-xs text-ink-2">
        What a buyer pays the network on top of the price. Buyers see it in auctions, offers and deals; Lanewire does
        not collect it. Applies to new auctions and offers.
      </p>
      <div className="flex flex-wrap items-start gap-3">
        <Field
          label="Amount"
          className="w-40"
          error={flat === undefined ? `Enter up to ${formatMoney(buyFeeFlatMax)}, or leave blank` : undefined}
        >
          <Input
            inputMode="decimal"
            autoComplete="off"
            placeholder="None"
            trailing="USD"
            value={draft.flat}
            onChange={(event) => setDraft({ ...draft, flat: event.target.value })}
          />
        </Field>
        <Field
          label="Share of the price"
          className="w-40"
          error={percent === undefined ? `Enter up to ${buyFeePercentMax}%, or leave blank` : undefined}
        >
          <Input
            inputMode="decimal"
            autoComplete="off"
            placeholder="None"
            trailing="%"
            value={draft.percent}
            onChange={(event) => setDraft({ ...draft, percent: event.target.value })}
          />
        </Field>
        <Button type="submit" className="sm:mt-6" busy={change.isPending} disabled={!changed || wanted === undefined}>
          Save fee
        </Button>
      </div>
      <PriceWithFee label="For example" price={examplePrice} fee={wanted} className="mt-1" />
    </form>
  )
}
