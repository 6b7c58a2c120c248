import Bell from 'lucide-react/icons/bell'
import Bookmark from 'lucide-react/icons/bookmark'
import CarFront from 'lucide-react/icons/car-front'
import Gavel from 'lucide-react/icons/gavel'
import Handshake from 'lucide-react/icons/handshake'
import House from 'lucide-react/icons/house'
import MenuIcon from 'lucide-react/icons/menu'
import MessageSquare from 'lucide-react/icons/message-square'
import Plus from 'lucide-react/icons/plus'
import Users from 'lucide-react/icons/users'
import { type ComponentProps } from 'react'
import { Link, useLocation } from 'wouter'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { dealsCounted, useNavCounts } from '#client/lib/screen/nav-counts.ts'
import { Brand } from '#client/ui/brand.tsx'
import { Button } from '#client/ui/button.tsx'
import { IconButton, IconLink } from '#client/ui/icon-button.tsx'
import { AccountMenu } from './account-menu.tsx'
import { ModeSwitch } from './mode-switch.tsx'
import { isNetwork } from './nav-items.tsx'
import { shellParts } from './shell-parts.tsx'

interface TopBarProps {
  onMenu: () => void
  onPostInventory: () => void
}

/** The top bar: 56 px high, with the columns of the page. */
export function TopBar({ onMenu, onPostInventory }: TopBarProps) {
  return (
    <header className="h-14 border-b border-line bg-surface">
      <div className="mx-auto grid h-full max-w-[82rem] grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-6 max-xl:px-6 max-lg:gap-3 max-md:gap-2 max-md:px-2 max-[24.3125rem]:gap-0 max-[24.3125rem]:px-1 xl:grid-cols-[16rem_minmax(0,1fr)_minmax(20rem,auto)] beside:max-w-none beside:grid-cols-[25rem_minmax(0,1fr)_auto] beside:px-6 beside-wide:grid-cols-[25rem_minmax(0,1fr)_minmax(20rem,auto)]">
        <div className="flex items-center gap-2 max-md:gap-0">
          <span className="contents xl:hidden">
            <IconButton label="Open menu" icon={<MenuIcon size={20} />} onClick={onMenu} className="xl:hidden" />
          </span>
          <Link
            href="/"
            aria-label="Lanewire home"
            // Hidden on narrow phones; Feed in the bottom navigation leads to the same page.
            className="inline-flex items-center rounded-sm max-md:min-h-11 max-md:min-w-11 max-md:justify-center max-[24.3125rem]:hidden"
          >
            <Brand compact />
          </Link>
        </div>
        <ModeSwitch />
        <TopBarEnd onPostInventory={onPostInventory} />
      </div>
    </header>
  )
}

interface Place extends Pick<ComponentProps<typeof IconLink>, 'href' | 'label' | 'icon' | 'count' | 'counted'> {
  current?: boolean
}

/** Links of the top bar, and of a phone's bottom navigation. Some need a complete profile. */
function usePlaces(path: string): Place[] {
  const counts = useNavCounts()
  const { profileComplete } = useCurrentDealer()
  const ofDealership = (places: Place[]) => (profileComplete ? places : [])
  const deals = { count: counts.deals, counted: dealsCounted, current: /^\/deals(\/|$)/.test(path) }
  return [
    { href: '/', label: 'Feed', icon: <House size={18} /> },
    { href: '/dealers', label: 'Network', icon: <Users size={18} />, current: isNetwork(path) },
    ...ofDealership([{ href: '/find', label: 'Find', icon: <CarFront size={18} /> }]),
    { href: '/messages', label: 'Messages', icon: <MessageSquare size={18} />, count: counts.messages },
    ...ofDealership([
      { href: '/lane', label: 'Lane', icon: <Gavel size={18} /> },
      { href: '/deals', label: 'Deals', icon: <Handshake size={18} />, ...deals },
      { href: '/watchlist', label: 'Watchlist', icon: <Bookmark size={18} /> },
    ]),
  ]
}

function TopBarEnd({ onPostInventory }: { onPostInventory: () => void }) {
  const [path] = useLocation()
  const counts = useNavCounts()
  const places = usePlaces(path)
  return (
    <nav aria-label="Main" className="flex items-center justify-end gap-1">
      {places.map((place) => (
        <IconLink key={place.href} current={path === place.href} {...place} className="max-md:hidden" />
      ))}
      <IconLink
        href="/notifications"
        label="Notifications"
        icon={<Bell size={18} />}
        count={counts.notifications}
        current={path === '/notifications'}
        className="max-md:order-2"
      />
      {shellParts.PostInventoryDialog ? (
        <Button
          variant="primary"
          aria-label="Post Inventory"
          icon={<Plus size={20} className="lg:hidden" />}
          onClick={onPostInventory}
          className="mx-2 max-lg:w-8 max-lg:px-0 max-md:order-1 max-md:mx-1 max-md:w-11 touch:max-lg:w-11"
        >
          <span className="max-lg:hidden">Post Inventory</span>
        </Button>
      ) : null}
      <AccountMenu />
    </nav>
  )
}
