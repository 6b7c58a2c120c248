import type { AuctionPhase } from '#client/lib/auction-state.ts'
import { buyFeeOn, type BuyFee } from '#shared/buy-fee.ts'
import type { Auction } from '#shared/schemas/auctions.ts'
import { cx } from './cx.ts'
import { formatMoney } from './format.ts'

/**
 * What a buyer pays at this price, the network's fee included: `$24,000 + $480 buy fee = $24,480`. Nothing else is added, and nothing is
 * drawn where there is no fee.
 */
export function LandedCost({ price, fee, label, oneLine = false, className }: LandedCostProps) {
  const charged = buyFeeOn(price, fee)
  if (charged <= 0) return null
  const before = label && `${label}:`
  const figures = `${formatMoney(price)} + ${formatMoney(charged)}`
  const sum = `= ${formatMoney(price + charged)}`
  if (!oneLine)
    return (
      <span className={cx('num block text-xs text-ink-2', className)}>
        {[before, figures, 'buy fee', sum].filter(Boolean).join(' ')}
      </span>
    )
  return (
    <span className={cx('num flex gap-x-1 text-xs whitespace-nowrap text-ink-2', className)}>
      {before ? <span className="truncate">{before} </span> : null}
      <span className="flex-none">{figures}</span> <span className="truncate">buy fee</span>{' '}
      <span className="flex-none">{sum}</span>
    </span>
  )
}

interface LandedCostProps {
  price: number
  fee: BuyFee | null | undefined
  /** What price it is, before the figures: `Next bid`. */
  label?: string
  /** Where there is little room words are cut, never figures. */
  oneLine?: boolean
  className?: string
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
