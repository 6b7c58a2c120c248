import Clock from 'lucide-react/icons/clock'
import { Badge } from './badge.tsx'
import { formatWhen } from './format.ts'

export function AuctionStartBadge({ startsAt, nowMs }: { startsAt: string; nowMs: number }) {
  return (
    <Badge tone="warning" icon={<Clock size={12} aria-hidden="true" />}>
      <span className="sr-only">Starts </span>
      <span className="num">{formatWhen(startsAt, nowMs)}</span>
    </Badge>
  )
}
