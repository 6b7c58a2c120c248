import { useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { newId } from '#client/lib/http/new-id.ts'
import { Button } from '#client/ui/button.tsx'
import { formatMoney } from '#client/ui/format.ts'
import type { OrderMatch } from '#shared/schemas/wanted.ts'
import { useDismissMatch, useOfferOnMatch, useUndoOffer } from './wanted.api.ts'

const undoMs = 5_000

type LastOffer = NonNullable<OrderMatch['lastOffer']>

/** Labels of earlier offers that have ended. The dealer can make another offer. */
const outcomes: Partial<Record<LastOffer['status'], string>> = {
  declined: 'Declined',
  expired: 'Not answered in time',
  ended: 'Ended by the seller',
  accepted: 'Accepted, then cancelled',
}

export const matchesHeading = 'order-matches'

/** Moves focus to the next match, otherwise to the previous match, otherwise to the heading. */
function focusNeighbor(item: Element | null | undefined): void {
  const beside = item?.nextElementSibling ?? item?.previousElementSibling
  const heading = document.getElementById(matchesHeading)
  const target = beside?.querySelector<HTMLElement>('a') ?? heading
  if (target === heading) heading?.setAttribute('tabindex', '-1')
  target?.focus()
}

/** Buttons to make an offer or dismiss the match. An offer takes one press and can be undone for five seconds. */
export function MatchButtons({ match, isNew }: { match: OrderMatch; isNew: boolean }) {
  const [offerId, setOfferId] = useState<string>()
  const box = useRef<HTMLDivElement>(null)
  // The mutation is not in the form, because the form may unmount when the list updates.
  const offer = useOfferOnMatch()
  const made = match.lastOffer?.status === 'open' && !offer.isPending ? match.lastOffer : undefined
  useEffect(() => {
    if (offerId === undefined) return undefined
    const timer = setTimeout(() => setOfferId(undefined), undoMs)
    return () => clearTimeout(timer)
  }, [offerId])
  useFocusKept(box, offerId !== undefined)
  return (
    <div ref={box} className="mt-2">
      {offerId === undefined && made === undefined ? (
        <OfferForm
          match={match}
          isNew={isNew}
          busy={offer.isPending}
          onOffer={(key) => offer.mutate({ match, key }, { onSuccess: ({ id }) => setOfferId(id) })}
        />
      ) : null}
      {offerId === undefined && made ? <OpenOffer offer={made} /> : null}
      {offerId === undefined ? null : <Undo offerId={offerId} onUndone={() => setOfferId(undefined)} />}
    </div>
  )
}

/** Moves focus when the pressed button disappears: first to Undo, then to the next match. */
function useFocusKept(box: { readonly current: HTMLElement | null }, canUndo: boolean): void {
  const could = useRef(canUndo)
  useEffect(() => {
    if (could.current === canUndo) return
    could.current = canUndo
    if (document.activeElement !== document.body) return
    if (canUndo) box.current?.querySelector('button')?.focus()
    else focusNeighbor(box.current?.closest('li'))
  }, [box, canUndo])
}

const line = 'flex min-h-8 items-center gap-2'

function OpenOffer({ offer: { turn } }: { offer: LastOffer }) {
  const isMine = turn === 'buyer'
  return (
    <div className={line} role="status">
      <span className={isMine ? 'font-medium' : 'font-medium text-success-ink'}>
        {isMine ? 'Offered to you' : 'Offered'}
      </span>
      <Link href="/deals" className="ml-auto rounded-sm px-3 text-accent-ink hover:underline max-md:py-3">
        {isMine ? 'Answer' : 'View offer'}
      </Link>
    </div>
  )
}

function Undo({ offerId, onUndone }: { offerId: string; onUndone: () => void }) {
  const undo = useUndoOffer()
  return (
    <div className={line} role="status">
      <span className="font-medium text-success-ink">Offered</span>
      <Button
        variant="ghost"
        className="ml-auto"
        busy={undo.isPending}
        onClick={() => undo.mutate(offerId, { onSuccess: onUndone })}
      >
        Undo
      </Button>
    </div>
  )
}

interface OfferFormProps {
  match: OrderMatch
  isNew: boolean
  busy: boolean
  /** Makes an offer. `key` is the idempotency key of this press and its retries. */
  onOffer: (key: string) => void
}

function OfferForm({ match, isNew, busy, onOffer }: OfferFormProps) {
  const [key] = useState(newId)
  const dismiss = useDismissMatch()
  const { vehicle, lastOffer } = match
  const outcome = lastOffer === null ? undefined : outcomes[lastOffer.status]
  const words = `${outcome === undefined ? 'Offer' : 'Offer again'} ${formatMoney(match.offer)}`
  return (
    <>
      {outcome === undefined ? null : <p className="mb-1 text-xs text-ink-2">{outcome}</p>}
      <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-2">
        <Button
          variant={isNew && outcome === undefined ? 'primary' : 'secondary'}
          busy={busy}
          aria-label={`${words} for ${vehicle.title}`}
          // The form unmounts when an offer is made, so an offer after Undo gets a new key.
          onClick={() => onOffer(key)}
        >
          {words}
        </Button>
        <Button
          variant="ghost"
          aria-label={`Not this one: ${vehicle.title}`}
          busy={dismiss.isPending}
          onClick={(event) => {
            focusNeighbor(event.currentTarget.closest('li'))
            dismiss.mutate(match)
          }}
        >
          Not this one
        </Button>
      </div>
    </>
  )
}
