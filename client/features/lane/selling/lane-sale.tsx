import { type FormEvent, type ReactNode, useState } from 'react'
import { useLocation } from 'wouter'
import { phaseOf } from '#client/lib/auction/auction-state.ts'
import { newId } from '#client/lib/http/new-id.ts'
import { typedAmount } from '#client/lib/form/typed-amount.ts'
import { Badge } from '#client/ui/badge.tsx'
import { Button } from '#client/ui/button.tsx'
import { Card } from '#client/ui/card.tsx'
import { ChangingNumber } from '#client/ui/changing-number.tsx'
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx'
import { cx } from '#client/ui/cx.ts'
import { Field } from '#client/ui/field.tsx'
import { formatExactTime, formatMoney, plural } from '#client/ui/format.ts'
import { Input } from '#client/ui/input.tsx'
import { toast } from '#client/ui/toast-store.ts'
import type { Auction } from '#shared/schemas/auctions.ts'
import type { LaneSale } from '#shared/schemas/lane.ts'
import type { SellersParts } from '../lane-context.ts'
import { PositionClock } from '../lane-clock.tsx'
import { useLowerReserve } from '../lane.api.ts'
import { fullAuctionPath } from '../position/lane-position-menu.tsx'
import { PositionVehicle } from '../position/lane-position-parts.tsx'
import { nameOfRow } from '../lists/row-standing.ts'
import { saleLabel, shortOf, useOwnAuction } from './lane-sales.ts'

interface SalePanelProps extends Pick<SellersParts, 'renderOffer' | 'renderWithdraw'> {
  sale: LaneSale
  nowMs: number
}

const bars = {
  success: 'border-success-line bg-success-soft text-success-ink',
  warning: 'border-warning-line bg-warning-soft text-warning-ink',
  sold: 'border-sold-line bg-sold-soft text-sold-ink',
} as Partial<Record<string, string>>

export function SalePanel({ sale, nowMs, renderOffer, renderWithdraw }: SalePanelProps) {
  const { row } = sale
  const { data: auction } = useOwnAuction(row.postId)
  const [, navigate] = useLocation()
  const phase = phaseOf(row.auction, nowMs)
  const { word, tone } = saleLabel(sale, nowMs)
  const leader = auction?.seller?.bidders.find(({ number }) => number === auction.leader)
  const isOpen = phase === 'running' || phase === 'coming'
  return (
    <Card className="@container/sale relative flex min-h-0 flex-col overflow-y-auto max-xl:overflow-visible">
      <div
        className={cx(
          'flex min-h-13 flex-none flex-wrap items-baseline gap-x-2 border-b px-5 py-3',
          bars[tone] ?? 'border-line bg-sunken',
        )}
      >
        <h2 className="text-md font-semibold">{word}</h2>
        <p className="num text-xs text-ink-2">
          {[phase === 'running' ? shortOf(sale) : '', leader ? `${leader.name} leads` : ''].filter(Boolean).join(' · ')}
        </p>
      </div>
      <div className="px-5 pt-4">
        <PositionVehicle row={row} />
      </div>
      <SaleFigures sale={sale} auction={auction} />
      {isOpen ? <Reserve sale={sale} auction={auction} isRunning={phase === 'running'} /> : null}
      {sale.offerId === null ? null : <Part title="Offer after the auction">{renderOffer(sale.offerId)}</Part>}
      {sale.dealId === null ? null : (
        <Part title="Sold">
          <Button variant="primary" block onClick={() => navigate(`/deals/${sale.dealId}`)}>
            Open deal
          </Button>
        </Part>
      )}
      <Bidders auction={auction} />
      {isOpen ? renderWithdraw(row.postId) : null}
      <ReserveLog sale={sale} />
      <div className="border-t border-line px-5 py-3">
        <Button variant="ghost" onClick={() => navigate(fullAuctionPath(row.postId))}>
          Open full auction
        </Button>
      </div>
    </Card>
  )
}

function Part({ title, hint, children }: { title: string; hint?: string; children: ReactNode }) {
  return (
    <section className="border-t border-line px-5 py-3">
      <div className="flex justify-between gap-2">
        <h3 className="font-semibold">{title}</h3>
        {hint ? <span className="text-xs text-ink-2">{hint}</span> : null}
      </div>
      {children}
    </section>
  )
}

function SaleFigures({ sale, auction }: { sale: LaneSale; auction: Auction | undefined }) {
  const state = auction ?? sale.row.auction
  const price = state.amount ?? state.startAmount
  const { reserveAmount } = sale
  const span = Math.max(1, (reserveAmount ?? price) - state.startAmount)
  const share = Math.min(100, Math.max(0, (100 * (price - state.startAmount)) / span))
  return (
    <div className="px-5 py-3">
      <div className="flex justify-between text-xs text-ink-2">
        <span>{state.amount === null ? 'Starts at' : 'Highest bid'}</span>
        <span>{state.status === 'open' ? 'Time left' : 'Ended'}</span>
      </div>
      <div className="flex items-baseline justify-between gap-3 text-xl font-semibold tracking-xl">
        <ChangingNumber value={price} text={formatMoney(price)} />
        <PositionClock auction={state} quiet={false} />
      </div>
      {reserveAmount === null || reserveAmount <= state.startAmount ? null : (
        <div
          role="img"
          aria-label={`Start ${formatMoney(state.startAmount)}, highest bid ${formatMoney(price)}, reserve ${formatMoney(reserveAmount)}`}
        >
          <span className="mt-3 block h-1 overflow-hidden rounded-full bg-pressed">
            <span className="block h-full bg-accent" style={{ width: `${share}%` }} />
          </span>
          <span aria-hidden="true" className="num mt-1 flex justify-between text-xs text-ink-2">
            <span>Start {formatMoney(state.startAmount)}</span>
            <span>Reserve {formatMoney(reserveAmount)}</span>
          </span>
        </div>
      )}
    </div>
  )
}

interface ReserveProps {
  sale: LaneSale
  auction: Auction | undefined
  isRunning: boolean
}

/** Controls of the reserve. The seller can only lower it, or accept the highest bid as the reserve. */
function Reserve({ sale, auction, isRunning }: ReserveProps) {
  const { row, reserveAmount } = sale
  const state = auction ?? row.auction
  const lower = useLowerReserve(row.postId, 'The bid was not accepted')
  const [isConfirming, setConfirming] = useState(false)
  if (state.reserve !== 'not_met') return null
  const { amount } = state
  const accept = () =>
    amount !== null &&
    lower.mutate(
      { amount, key: newId() },
      {
        onSuccess: () => toast({ title: 'Reserve met', description: 'Sells to the highest bidder when time runs out' }),
        onSettled: () => setConfirming(false),
      },
    )
  return (
    <>
      {reserveAmount === null ? null : (
        <LowerReserve postId={row.postId} reserveAmount={reserveAmount} startAmount={state.startAmount} />
      )}
      {isRunning && amount !== null ? (
        <Part title="Sell to the highest bid" hint="the clock keeps running">
          <Button block className="mt-2" onClick={() => setConfirming(true)}>
            Accept {formatMoney(amount)} as the reserve
          </Button>
          <p className="mt-1 text-xs text-ink-2">
            All watchers see “Reserve met”. Sells to the highest bidder when time runs out.
          </p>
          <ConfirmDialog
            open={isConfirming}
            onOpenChange={setConfirming}
            title={`Accept ${formatMoney(amount)} as the reserve of ${nameOfRow(row)}?`}
            description="The reserve then counts as met and cannot be raised again. Bidding continues until time runs out."
            confirmLabel={`Accept ${formatMoney(amount)}`}
            busy={lower.isPending}
            onConfirm={accept}
          />
        </Part>
      ) : null}
    </>
  )
}

interface LowerReserveProps {
  postId: string
  reserveAmount: number
  startAmount: number
}

function LowerReserve({ postId, reserveAmount, startAmount }: LowerReserveProps) {
  const lower = useLowerReserve(postId, 'The reserve was not lowered')
  const [text, setText] = useState('')
  const [error, setError] = useState<string>()
  const amount = typedAmount(text)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (amount === undefined) return setError('Enter an amount in dollars')
    if (amount >= reserveAmount) return setError(`Enter less than ${formatMoney(reserveAmount)}`)
    if (amount < startAmount) return setError(`Enter at least the starting amount, ${formatMoney(startAmount)}`)
    setError(undefined)
    lower.mutate({ amount, key: newId() }, { onSuccess: () => setText('') })
  }
  return (
    <Part title="Lower the reserve" hint="it cannot be raised again">
      <form noValidate onSubmit={submit} className="mt-2 flex items-start gap-2">
        <Field label="New reserve" hideLabel error={error} className="flex-1">
          <Input
            inputMode="numeric"
            autoComplete="off"
            placeholder={formatMoney(reserveAmount)}
            value={text}
            className="num"
            onChange={(event) => {
              setText(event.target.value)
              setError(undefined)
            }}
          />
        </Field>
        <Button type="submit" variant="primary" busy={lower.isPending}>
          {amount === undefined ? 'Lower' : `Lower to ${formatMoney(amount)}`}
        </Button>
      </form>
      <p className="mt-1 text-xs text-ink-2">
        Bidders see “Reserve not met” until a bid reaches it. The amount stays hidden.
      </p>
    </Part>
  )
}

const biddersShown = 6

function Bidders({ auction }: { auction: Auction | undefined }) {
  if (!auction?.seller || auction.seller.bidders.length === 0) return null
  const highest = (number: number) => auction.bids.find((bid) => bid.bidder === number)?.amount
  const bidders = auction.seller.bidders.toSorted((a, b) => (highest(b.number) ?? 0) - (highest(a.number) ?? 0))
  const more = bidders.length - biddersShown
  return (
    <Part title="Bidders" hint="only you see the names">
      <ul className="num mt-1">
        {bidders.slice(0, biddersShown).map(({ number, name }) => (
          <li key={number} className="flex items-center justify-between gap-2 py-0.5">
            <span className="flex min-w-0 items-center gap-2">
              <span className="truncate">{name}</span>
              {auction.leader === number ? <Badge tone="accent">leads</Badge> : null}
            </span>
            <b className="font-semibold">{highest(number) === undefined ? '' : formatMoney(highest(number) ?? 0)}</b>
          </li>
        ))}
        {more > 0 ? <li className="py-0.5 text-ink-2">{plural(more, 'other', 'others')}</li> : null}
      </ul>
    </Part>
  )
}

function ReserveLog({ sale: { reserveChanges } }: { sale: LaneSale }) {
  if (reserveChanges.length === 0) return null
  return (
    <ol aria-label="Your changes" className="num border-t border-line px-5 py-2 text-xs text-ink-2">
      {reserveChanges.map(({ seq, at, from, to }) => (
        <li key={seq} className="flex gap-2 py-0.5">
          <span>{formatExactTime(at)}</span>
          <span>
            You lowered the reserve {from === null ? '' : `from ${formatMoney(from)} `}to {formatMoney(to)}
          </span>
        </li>
      ))}
    </ol>
  )
}
