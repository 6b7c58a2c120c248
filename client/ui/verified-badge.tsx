import BadgeCheck from 'lucide-react/icons/badge-check'
import { Badge } from './badge.tsx'

export function VerifiedBadge() {
  return (
    <Badge tone="success" icon={<BadgeCheck size={12} aria-hidden="true" />}>
      Verified
    </Badge>
  )
}
