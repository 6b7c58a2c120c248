import type { AuctionPhase } from '#client/lib/auction/auction-state.ts'
import { buyFeeOn } from '#shared/buy-fee.ts'
import type { BuyFee } from '#shared/schemas/dealers.ts'
import type { Auction } from '#shared/schemas/auctions.ts'
import { cx } from './cx.ts'
import { formatMoney } from './format.ts'

/** Returns a text such as `$24,000 + $480 buy fee = $24,480`. Returns undefined if there is no fee. */
function landedCostText(price: number, fee: BuyFee | null | undefined): string | undefined {
  const charged = buyFeeOn(price, fee)
  return charged > 0
    ? `${formatMoney(price)} + ${formatMoney(charged)} buy fee = ${formatMoney(price + charged)}`
    : undefined
}

/** Upper bound for the average width of a character, in em. */
const letterEm = 0.54

interface PriceWithFeeProps {
  price: number
  fee: BuyFee | null | undefined
  label?: string
  /** Shrinks the text to keep it on one line, so that price changes do not move the layout. */
  oneLine?: boolean
  className?: string
}

export function PriceWithFee({ price, fee, label, oneLine = false, className }: PriceWithFeeProps) {
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

/** Shows the buyer's cost including the fee: of the buyer's leading bid, else of the next bid; after the auction, of the final price. */
export function AuctionCost({
  auction: { amount, minNext, leader, buyFee, you },
  phase,
  ...looks
}: {
  auction: Auction
  phase: AuctionPhase
} & Pick<PriceWithFeeProps, 'oneLine' | 'className'>) {
  const shared = { fee: buyFee, ...looks }
  // The seller pays no buy fee.
  if (you.isSeller) return null
  if (phase === 'coming' || phase === 'running') {
    const leads = leader !== null && leader === you.number
    if (leads && amount !== null) return <PriceWithFee label="Your bid" price={amount} {...shared} />
    return <PriceWithFee label="Next bid" price={minNext} {...shared} />
  }
  return amount === null || phase === 'no_sale' ? null : <PriceWithFee price={amount} {...shared} />
}
