import BadgeCheck from 'lucide-react/icons/badge-check'
import { Badge } from './badge.tsx'

/** Badge for a dealer whose license Lanewire has checked. */
export function VerifiedBadge() {
  return (
    <Badge tone="success" icon={<BadgeCheck size={12} aria-hidden="true" />}>
      Verified
    </Badge>
  )
}
