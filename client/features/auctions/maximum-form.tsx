import { useId, useState } from 'react'
import { usePersisted } from '#client/lib/persisted.ts'
import { typedAmount } from '#client/lib/typed-amount.ts'
import { Button } from '#client/ui/button.tsx'
import { Field } from '#client/ui/field.tsx'
import { formatMoney } from '#client/ui/format.ts'
import { Input } from '#client/ui/input.tsx'
import type { Auction } from '#shared/schemas/auctions.ts'
import { kindFor } from './bid-rungs.ts'
import type { Bidding } from './use-bidding.ts'

/** A hidden maximum that bids for the dealer. What is typed stays until the server has taken it. */
export function MaximumForm({ auction, bidding, blocked }: { auction: Auction; bidding: Bidding; blocked: boolean }) {
  const {
    values: { text },
    ...persisted
  } = usePersisted(`maximum.${auction.postId}`, { text: '' })
  const [error, setError] = useState<string>()
  const formId = useId()
  const leads = kindFor(auction) === 'max'
  const lowest = leads ? (auction.amount ?? 0) : auction.minNext
  const submit = () => {
    const amount = typedAmount(text)
    if (amount === undefined || amount < lowest) return setError(`Enter ${formatMoney(lowest)} or more`)
    setError(undefined)
    bidding.setMaximum(amount, () => persisted.set('text', ''))
  }
  const known = auction.you.maximum
  const hint =
    leads && known !== null && known > (auction.amount ?? 0)
      ? `Your maximum is ${formatMoney(known)}. Only you can see it.`
      : 'We bid for you, one step over the next dealer. Only you can see it.'
  return (
    <form
      id={formId}
      className="flex items-start gap-2 border-t border-line px-5 py-3 max-md:px-4"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <Field label="Your maximum" hint={hint} error={error} className="flex-1">
        <Input
          inputMode="decimal"
          autoComplete="off"
          placeholder={formatMoney(lowest)}
          value={text}
          disabled={blocked}
          onChange={(event) => persisted.set('text', event.target.value)}
        />
      </Field>
      <Button type="submit" className="mt-6" disabled={blocked || text === '' || bidding.placing !== undefined}>
        Set maximum
      </Button>
    </form>
  )
}
