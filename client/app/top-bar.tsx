import Bell from 'lucide-react/icons/bell'
import CarFront from 'lucide-react/icons/car-front'
import Gavel from 'lucide-react/icons/gavel'
import Handshake from 'lucide-react/icons/handshake'
import House from 'lucide-react/icons/house'
import Megaphone from 'lucide-react/icons/megaphone'
import MenuIcon from 'lucide-react/icons/menu'
import MessageSquare from 'lucide-react/icons/message-square'
import Plus from 'lucide-react/icons/plus'
import Users from 'lucide-react/icons/users'
import { type ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { dealsCounted, useNavCounts } from '#client/lib/screen/nav-counts.ts'
import { Brand } from '#client/ui/brand.tsx'
import { Button } from '#client/ui/button.tsx'
import { cappedCount, Count } from '#client/ui/count.tsx'
import { cx } from '#client/ui/cx.ts'
import { IconButton, IconLink } from '#client/ui/icon-button.tsx'
import { useWide } from '#client/ui/screen-width.ts'
import { AccountMenu } from './account-menu.tsx'
import { ModeSwitch } from './mode-switch.tsx'
import { isNetwork } from './nav-items.tsx'
import { shellParts } from './shell-parts.tsx'

interface TopBarProps {
  onMenu: () => void
  onPostInventory: () => void
}

export function TopBar({ onMenu, onPostInventory }: TopBarProps) {
  return (
    <header className="h-14 border-b border-line bg-surface">
      <div className="mx-auto grid h-full max-w-[82rem] grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-6 max-[85rem]:px-6 max-lg:gap-3 max-md:gap-2 max-md:px-2 max-[24.3125rem]:gap-0 max-[24.3125rem]:px-1 xl:grid-cols-[auto_minmax(0,1fr)_auto] xl:max-[90rem]:gap-4 min-[90rem]:grid-cols-[16rem_minmax(0,1fr)_auto] beside:max-w-none beside:grid-cols-[25rem_minmax(0,1fr)_auto] beside:px-6 beside-wide:grid-cols-[25rem_minmax(0,1fr)_minmax(20rem,auto)]">
        <div className="flex items-center gap-2 max-md:gap-0">
          <span className="contents xl:hidden">
            <IconButton label="Open menu" icon={<MenuIcon size={20} />} onClick={onMenu} className="xl:hidden" />
          </span>
          <Link
            href="/"
            aria-label="Lanewire home"
            // Hide the logo on narrow phones, because Feed in the bottom navigation leads to the same page.
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

interface Place {
  href: string
  label: string
  icon: ReactNode
  current?: boolean
  count?: number
  counted?: string
}

/** Returns the main sections in the order that every navigation uses. Some sections need a complete profile. */
function usePlaces(path: string): Place[] {
  const counts = useNavCounts()
  const { profileComplete } = useCurrentDealer()
  const ofDealership = (places: Place[]) => (profileComplete ? places : [])
  const deals = { count: counts.deals, counted: dealsCounted, current: /^\/deals(\/|$)/.test(path) }
  return [
    { href: '/', label: 'Feed', icon: <House size={18} /> },
    ...ofDealership([
      { href: '/find', label: 'Find', icon: <CarFront size={18} /> },
      { href: '/lane', label: 'Lane', icon: <Gavel size={18} /> },
      { href: '/wanted', label: 'Wanted', icon: <Megaphone size={18} /> },
      { href: '/deals', label: 'Deals', icon: <Handshake size={18} />, ...deals },
    ]),
    { href: '/dealers', label: 'Network', icon: <Users size={18} />, current: isNetwork(path) },
    { href: '/messages', label: 'Messages', icon: <MessageSquare size={18} />, count: counts.messages },
  ]
}

function PlaceLink({ href, label, icon, count = 0, counted = 'unread', current = false }: Place) {
  const isWide = useWide()
  return (
    <Link
      href={href}
      aria-current={current ? 'page' : undefined}
      data-tooltip={isWide ? undefined : label}
      className={cx(
        'relative inline-flex flex-none items-center justify-center transition-colors max-md:hidden max-xl:size-8 max-xl:rounded-md xl:h-14 xl:min-w-12 xl:flex-col xl:gap-0.5 xl:border-y-2 xl:border-transparent xl:px-1 touch:max-xl:size-11',
        current
          ? 'text-accent-ink max-xl:bg-accent-soft xl:border-b-accent'
          : // Contrast themes draw transparent borders.
            'text-ink-2 hover:text-ink max-xl:hover:bg-hover xl:forced-colors:border-y-0',
      )}
    >
      <span aria-hidden="true" className="relative">
        {icon}
        {count > 0 ? (
          <span className="absolute -top-2 left-3">
            <Count value={count} />
          </span>
        ) : null}
      </span>
      <span aria-hidden="true" className="text-xs font-medium max-xl:hidden">
        {label}
      </span>
      <span className="sr-only">{count > 0 ? `${label}, ${cappedCount(count)} ${counted}` : label}</span>
    </Link>
  )
}

function TopBarEnd({ onPostInventory }: { onPostInventory: () => void }) {
  const [path] = useLocation()
  const counts = useNavCounts()
  const places = usePlaces(path)
  return (
    <nav aria-label="Main" className="flex items-center justify-end gap-1">
      {places.map((place) => (
        <PlaceLink key={place.href} current={path === place.href} {...place} />
      ))}
      <IconLink
        href="/notifications"
        label="Notifications"
        icon={<Bell size={18} />}
        count={counts.notifications}
        current={path === '/notifications'}
        className="max-md:order-2 xl:ml-1"
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
