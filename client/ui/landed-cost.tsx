import type { AuctionPhase } from '#client/lib/auction-state.ts'
import { buyFeeOn, type BuyFee } from '#shared/buy-fee.ts'
import type { Auction } from '#shared/schemas/auctions.ts'
import { cx } from './cx.ts'
import { formatMoney } from './format.ts'

/** `$24,000 + $480 buy fee = $24,480`, of a price in dollars; undefined where the network asks no fee. Nothing else is added. */
function landedCostText(price: number, fee: BuyFee | null | undefined): string | undefined {
  const charged = buyFeeOn(price, fee)
  return charged > 0
    ? `${formatMoney(price)} + ${formatMoney(charged)} buy fee = ${formatMoney(price + charged)}`
    : undefined
}

/** What a buyer pays at this price, the network's fee included. Draws nothing where there is no fee. */
export function LandedCost({
  price,
  fee,
  label,
  className,
}: {
  price: number
  fee: BuyFee | null | undefined
  /** What price it is, before the figures: `Next bid`. */
  label?: string
  className?: string
}) {
  const text = landedCostText(price, fee)
  if (text === undefined) return null
  return (
    <span className={cx('num block text-xs text-ink-2', className)}>
      {label ? `${label}: ` : null}
      {text}
    </span>
  )
}

/** Of an auction, but for its seller: what the next bid would cost, or of one that is over what it cost its buyer. */
export function AuctionCost({
  auction: { amount, minNext, buyFee, you },
  phase,
  className,
}: {
  auction: Auction
  phase: AuctionPhase
  className?: string
}) {
  const shared = { fee: buyFee, ...(className && { className }) }
  // The seller's price is without it.
  if (you.isSeller) return null
  if (phase === 'coming' || phase === 'running') return <LandedCost label="Next bid" price={minNext} {...shared} />
  return amount === null || phase === 'no_sale' ? null : <LandedCost price={amount} {...shared} />
}
