import ChevronRight from 'lucide-react/icons/chevron-right'
import CircleUser from 'lucide-react/icons/circle-user'
import Newspaper from 'lucide-react/icons/newspaper'
import { Link } from 'wouter'
import { Card, CardBody, CardHeader } from '#client/ui/card.tsx'

const links = [
  { href: '/wholesale-news', label: 'Wholesale News', icon: <Newspaper size={16} className="text-ink-2" /> },
  { href: '/dealer-profile', label: 'Dealer Profile', icon: <CircleUser size={16} className="text-ink-2" /> },
]

export function QuickAccess({ onNavigate }: { onNavigate?: () => void }) {
  return (
    <Card inset>
      <nav aria-label="Quick Access">
        <CardHeader title="Quick Access" />
        <CardBody>
          {links.map(({ href, label, icon }) => (
            <Link
              key={href}
              href={href}
              {...(onNavigate && { onClick: onNavigate })}
              className="-mx-2 flex h-9 items-center gap-3 rounded-md px-2 font-medium hover:bg-hover max-md:h-11"
            >
              {icon}
              {label}
              <ChevronRight size={16} className="ml-auto text-ink-3" />
            </Link>
          ))}
        </CardBody>
      </nav>
    </Card>
  )
}
