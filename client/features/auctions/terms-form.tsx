import { useState } from 'react'
import { reasonOf } from '#client/lib/api.ts'
import { serverNow } from '#client/lib/socket.ts'
import { Button } from '#client/ui/button.tsx'
import { Field } from '#client/ui/field.tsx'
import { Input } from '#client/ui/input.tsx'
import { toast } from '#client/ui/toast-store.ts'
import type { Auction } from '#shared/schemas/auctions.ts'
import { useChangeTerms } from './auctions.api.ts'

const minuteMs = 60_000

/** `datetime-local` wants the dealer's own time without a zone. */
function localTime(iso: string): string {
  const at = new Date(iso)
  return new Date(at.getTime() - at.getTimezoneOffset() * minuteMs).toISOString().slice(0, 16)
}

const amountOf = (text: string) => Number(text.replaceAll(/[$,\s]/g, ''))

/** The seller's terms, until somebody bids. */
export function TermsForm({ auction }: { auction: Auction }) {
  const change = useChangeTerms(auction.postId)
  const [start, setStart] = useState(String(auction.startAmount))
  const [reserve, setReserve] = useState(String(auction.seller?.reserveAmount ?? ''))
  const [ends, setEnds] = useState(() => localTime(auction.endsAt))
  const [error, setError] = useState<string>()
  const submit = () => {
    const startAmount = amountOf(start)
    const reserveAmount = reserve.trim() === '' ? null : amountOf(reserve)
    if (!(startAmount > 0) || (reserveAmount !== null && !(reserveAmount > 0)) || ends === '')
      return setError('Enter amounts in dollars and an end')
    setError(undefined)
    const coming = Date.parse(auction.startsAt) > serverNow()
    change.mutate(
      {
        startAmount,
        reserveAmount,
        endsAt: new Date(ends).toISOString(),
        ...(coming && { startsAt: auction.startsAt }),
      },
      {
        onSuccess: () => toast({ title: 'Auction updated' }),
        onError: (failure) => setError(reasonOf(failure)),
      },
    )
  }
  return (
    <form
      noValidate
      aria-label="Auction terms"
      className="grid grid-cols-2 gap-3 border-t border-line px-5 py-3 max-md:px-4"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <Field label="Starting amount">
        <Input inputMode="decimal" value={start} onChange={(event) => setStart(event.target.value)} />
      </Field>
      <Field label="Reserve" hint="Hidden. Empty: none">
        <Input inputMode="decimal" value={reserve} onChange={(event) => setReserve(event.target.value)} />
      </Field>
      <Field label="Ends" error={error} className="col-span-2">
        <Input type="datetime-local" value={ends} onChange={(event) => setEnds(event.target.value)} />
      </Field>
      <div className="col-span-2">
        <Button type="submit" busy={change.isPending}>
          Save terms
        </Button>
      </div>
    </form>
  )
}
