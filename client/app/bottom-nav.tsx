import Ellipsis from 'lucide-react/icons/ellipsis'
import Gavel from 'lucide-react/icons/gavel'
import House from 'lucide-react/icons/house'
import MessageSquare from 'lucide-react/icons/message-square'
import Users from 'lucide-react/icons/users'
import { type ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { dealsCounted, useNavCounts } from '#client/lib/screen/nav-counts.ts'
import { Count } from '#client/ui/count.tsx'
import { cx } from '#client/ui/cx.ts'
import { formatNumber } from '#client/ui/format.ts'
import { isNetwork } from './nav-items.tsx'

const item = 'flex flex-1 flex-col items-center justify-center gap-0.5 text-xs font-medium'

export function BottomNav({ onMore }: { onMore: () => void }) {
  const [path] = useLocation()
  const { messages, deals, auctions } = useNavCounts()
  return (
    <nav
      aria-label="Sections"
      className="fixed inset-x-0 bottom-0 z-30 flex h-[calc(3.5rem+env(safe-area-inset-bottom))] border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      <BottomLink href="/" label="Feed" icon={<House size={20} />} current={path === '/'} />
      {auctions > 0 || path === '/lane' ? (
        <BottomLink href="/lane" label="Lane" icon={<Gavel size={20} />} current={path === '/lane'} />
      ) : null}
      <BottomLink href="/dealers" label="Network" icon={<Users size={20} />} current={isNetwork(path)} />
      <BottomLink
        href="/messages"
        label="Messages"
        icon={<MessageSquare size={20} />}
        current={path === '/messages'}
        count={messages}
      />
      <button type="button" onClick={onMore} aria-haspopup="dialog" className={cx(item, 'text-ink-2')}>
        <BottomIcon icon={<Ellipsis size={20} />} count={deals} />
        <span>
          More
          {deals > 0 ? <span className="sr-only">{`, ${formatNumber(deals)} ${dealsCounted} in Deals`}</span> : null}
        </span>
      </button>
    </nav>
  )
}

function BottomIcon({ icon, count }: { icon: ReactNode; count: number | undefined }) {
  return (
    <span aria-hidden="true" className="relative">
      {icon}
      {count ? (
        <span className="absolute -top-2 left-3">
          <Count value={count} />
        </span>
      ) : null}
    </span>
  )
}

interface BottomLinkProps {
  href: string
  label: string
  icon: ReactNode
  current: boolean
  count?: number
}

function BottomLink({ href, label, icon, current, count }: BottomLinkProps) {
  return (
    <Link
      href={href}
      aria-current={current ? 'page' : undefined}
      className={cx(item, current ? 'text-accent-ink' : 'text-ink-2')}
    >
      <BottomIcon icon={icon} count={count} />
      <span>
        {label}
        {count ? <span className="sr-only">{`, ${count} unread`}</span> : null}
      </span>
    </Link>
  )
}
