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

/** How wide a letter of it is at most on average. */
const letterEm = 0.54

interface LandedCostProps {
  price: number
  fee: BuyFee | null | undefined
  /** What price it is, before the figures: `Next bid`. */
  label?: string
  /** In one line whose letters are as small as its width asks for, so that nothing below it moves with the price. */
  oneLine?: boolean
  className?: string
}

/** What a buyer pays at this price, the network's fee included. Draws nothing where there is no fee. */
export function LandedCost({ price, fee, label, oneLine = false, className }: LandedCostProps) {
  const sum = landedCostText(price, fee)
  if (sum === undefined) return null
  const text = label ? `${label}: ${sum}` : sum
  if (!oneLine) return <span className={cx('num block text-xs text-ink-2', className)}>{text}</span>
  return (
    <span className={cx('@container block', className)}>
      <span
        className="num block text-xs whitespace-nowrap text-ink-2"
        style={{ fontSize: `min(var(--text-xs), 100cqi / ${text.length * letterEm})` }}
      >
        {text}
      </span>
    </span>
  )
}

/** Of an auction, but for its seller: what the own bid costs whoever leads, else what the next would; of one that is over what it cost. */
export function AuctionCost({
  auction: { amount, minNext, leader, buyFee, you },
  phase,
  ...looks
}: {
  auction: Auction
  phase: AuctionPhase
} & Pick<LandedCostProps, 'oneLine' | 'className'>) {
  const shared = { fee: buyFee, ...looks }
  // The seller's price is without it.
  if (you.isSeller) return null
  if (phase === 'coming' || phase === 'running') {
    const leads = leader !== null && leader === you.number
    if (leads && amount !== null) return <LandedCost label="Your bid" price={amount} {...shared} />
    return <LandedCost label="Next bid" price={minNext} {...shared} />
  }
  return amount === null || phase === 'no_sale' ? null : <LandedCost price={amount} {...shared} />
}
