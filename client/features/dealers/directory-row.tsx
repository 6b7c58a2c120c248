import { useQuery } from '@tanstack/react-query'
import BadgeCheck from 'lucide-react/icons/badge-check'
import Check from 'lucide-react/icons/check'
import MessageSquare from 'lucide-react/icons/message-square'
import Star from 'lucide-react/icons/star'
import { Link } from 'wouter'
import { Avatar } from '#client/ui/avatar.tsx'
import { Badge } from '#client/ui/badge.tsx'
import { VerifiedBadge } from '#client/ui/verified-badge.tsx'
import { Button } from '#client/ui/button.tsx'
import { DotSeparator } from '#client/ui/dot-separator.tsx'
import { capitalize, formatPlace, formatRating, plural } from '#client/ui/format.ts'
import type { DirectoryDealer } from '#shared/schemas/dealers.ts'
import { networkQuery, useInNetwork } from './dealers.api.ts'
import type { PreviousCanadian } from './directory-filters.tsx'

export interface DirectoryRowProps {
  dealer: DirectoryDealer
  previousCanadian: PreviousCanadian
  onMessage: (dealer: DirectoryDealer) => void
}

export function DirectoryRow({ dealer, previousCanadian, onMessage }: DirectoryRowProps) {
  const network = useQuery(networkQuery())
  const mutual = network.data?.mutual.includes(dealer.id) ?? dealer.degree === '1st'
  const place = formatPlace(dealer)
  return (
    <div className="grid grid-cols-[2.5rem_minmax(0,1.6fr)_minmax(0,1fr)_9.75rem_4.5rem_15rem] items-center gap-x-4 px-4 py-3 hover:bg-hover max-lg:grid-cols-[2.5rem_minmax(0,1fr)_auto] max-lg:items-start max-lg:gap-x-3 max-lg:gap-y-1">
      <Avatar name={dealer.name} src={dealer.avatar} size={40} />
      <div className="min-w-0">
        <p className="truncate">
          <Link href={`/dealers/${dealer.id}`} className="text-base font-semibold hover:underline">
            {dealer.name}
          </Link>{' '}
          {mutual ? <span className="text-xs text-ink-3">1st</span> : null}
        </p>
        <p className="truncate text-ink-2">
          {capitalize(dealer.dealershipType)}
          <DotSeparator />
          {dealer.dealershipName}
        </p>
        {dealer.verified ? (
          <p className="flex">
            <VerifiedBadge />
          </p>
        ) : null}
      </div>
      <div className="min-w-0 max-lg:order-4 max-lg:col-span-2 max-lg:col-start-2">
        <p className="truncate text-ink-2">
          {place}
          <span className="lg:hidden">
            {place ? <DotSeparator /> : null}
            {plural(dealer.mutualConnections, 'mutual connection')}
          </span>
        </p>
        <CanadianBadges dealer={dealer} previousCanadian={previousCanadian} />
      </div>
      <p className="num text-ink-2 max-lg:hidden">{plural(dealer.mutualConnections, 'mutual connection')}</p>
      <Rating rating={dealer.rating} />
      <RowActions dealer={dealer} onMessage={onMessage} />
    </div>
  )
}

function Rating({ rating }: { rating: number | null }) {
  if (rating === null) return <p className="text-xs text-ink-3 max-lg:pt-2">No rating</p>
  return (
    <p className="num flex items-center gap-1 max-lg:pt-2">
      <Star size={14} aria-hidden="true" className="fill-current text-ink-3" />
      <span className="sr-only">Rating</span>
      <b className="font-semibold">{formatRating(rating)}</b>
      <span className="text-xs text-ink-3">/ 5</span>
    </p>
  )
}

function CanadianBadges({ dealer, previousCanadian }: Pick<DirectoryRowProps, 'dealer' | 'previousCanadian'>) {
  const side = previousCanadian === 'sellers' ? 'seller' : 'buyer'
  const marked = previousCanadian !== 'all' && (dealer.previousCanadian === side || dealer.previousCanadian === 'both')
  if (!dealer.buysCanadianVehicles && !marked) return null
  return (
    <p className="flex flex-wrap gap-1">
      {dealer.buysCanadianVehicles ? (
        <Badge tone="accent" icon={<BadgeCheck size={12} aria-hidden="true" />}>
          Buys Canadian
        </Badge>
      ) : null}
      {marked ? <Badge>{side === 'seller' ? 'Sold Canadian' : 'Bought Canadian'}</Badge> : null}
    </p>
  )
}

function RowActions({ dealer, onMessage }: Pick<DirectoryRowProps, 'dealer' | 'onMessage'>) {
  const { on, toggle } = useInNetwork(dealer, dealer.connected)
  return (
    <div className="grid grid-cols-2 gap-2 max-lg:order-5 max-lg:col-span-3 max-lg:pt-2">
      <Button
        variant={on ? 'on' : 'secondary'}
        aria-pressed={on}
        aria-label={on ? `Connected with ${dealer.name}` : `Connect with ${dealer.name}`}
        icon={on ? <Check size={16} aria-hidden="true" /> : undefined}
        onClick={toggle}
      >
        {on ? 'Connected' : 'Connect'}
      </Button>
      <Button
        aria-label={`Message ${dealer.name}`}
        icon={<MessageSquare size={16} aria-hidden="true" />}
        onClick={() => onMessage(dealer)}
      >
        Message
      </Button>
    </div>
  )
}
