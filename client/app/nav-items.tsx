import CircleQuestionMark from 'lucide-react/icons/circle-question-mark'
import CircleUser from 'lucide-react/icons/circle-user'
import CreditCard from 'lucide-react/icons/credit-card'
import Gavel from 'lucide-react/icons/gavel'
import Bookmark from 'lucide-react/icons/bookmark'
import CarFront from 'lucide-react/icons/car-front'
import Handshake from 'lucide-react/icons/handshake'
import LayoutDashboard from 'lucide-react/icons/layout-dashboard'
import ListChecks from 'lucide-react/icons/list-checks'
import Megaphone from 'lucide-react/icons/megaphone'
import Newspaper from 'lucide-react/icons/newspaper'
import Settings from 'lucide-react/icons/settings'
import { type ReactNode } from 'react'
import { useBilling } from '#client/lib/session/billing-enabled.ts'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { dealsCounted, useNavCounts } from '#client/lib/screen/nav-counts.ts'
import { Count } from '#client/ui/count.tsx'

export const isNetwork = (path: string): boolean => ['/dealers', '/my-dealers', '/discover'].includes(path)

export interface NavItem {
  href: string
  label: string
  icon: ReactNode
  /** The number of items that need the dealer's attention. */
  count?: number
}

/** Items of the account menu and of the phone's More sheet. Invited staff get no items for a dealership, because they have none. */
export function useNavItems(): NavItem[] {
  const { role, profileComplete } = useCurrentDealer()
  const billing = useBilling()
  const { deals } = useNavCounts()
  const dealership: NavItem[] = [
    { href: '/find', label: 'Find', icon: <CarFront size={16} /> },
    { href: '/lane', label: 'Lane', icon: <Gavel size={16} /> },
    { href: '/wanted', label: 'Wanted', icon: <Megaphone size={16} /> },
    { href: '/deals', label: 'Deals', icon: <Handshake size={16} />, count: deals },
    { href: '/watchlist', label: 'Watchlist', icon: <Bookmark size={16} /> },
    { href: '/dealer-profile', label: 'Dealer Profile', icon: <CircleUser size={16} /> },
    { href: '/wholesale-news', label: 'Wholesale News', icon: <Newspaper size={16} /> },
    ...(billing ? [{ href: '/plan-management', label: 'Plan Management', icon: <CreditCard size={16} /> }] : []),
  ]
  const always = [
    { href: '/settings', label: 'Settings', icon: <Settings size={16} /> },
    { href: '/help', label: 'Help', icon: <CircleQuestionMark size={16} /> },
  ]
  const work = [
    ...(role === 'admin' ? [{ href: '/admin', label: 'Admin', icon: <LayoutDashboard size={16} /> }] : []),
    ...(role !== 'dealer' && !profileComplete
      ? [{ href: '/lane?view=all', label: 'Lane', icon: <Gavel size={16} /> }]
      : []),
    ...(role === 'ops' ? [{ href: '/admin/queues', label: 'Queues', icon: <ListChecks size={16} /> }] : []),
  ]
  return profileComplete ? [...dealership, ...always, ...work] : [...work, ...always]
}

export function NavItemCount({ count = 0 }: Pick<NavItem, 'count'>) {
  if (count === 0) return null
  return (
    <span className="ml-auto pl-2">
      <Count value={count} />
      <span className="sr-only"> {dealsCounted}</span>
    </span>
  )
}
