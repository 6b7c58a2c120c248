import { formatMoney, formatNumber } from '#client/ui/format.ts'
import type { DealerProfile } from '#shared/schemas/profile.ts'
import { Figure } from './profile-header.tsx'

/** Deals, volume and speed (spec B §2 "Dealer profile"). */
export function ProfileStats({ stats }: Pick<DealerProfile, 'stats'>) {
  const days = stats.averageDaysToClose
  return (
    <dl className="grid grid-cols-3 gap-2 p-4 max-md:grid-cols-1">
      <Figure label="Deals">{formatNumber(stats.deals)}</Figure>
      <Figure label="Volume">{formatMoney(stats.volume, 'compact')}</Figure>
      <Figure label="Average to close">
        {days === null ? 'No deal closed yet' : `${days.toFixed(1)} ${days === 1 ? 'day' : 'days'}`}
      </Figure>
    </dl>
  )
}
