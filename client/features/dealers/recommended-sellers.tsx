import { useQuery } from '@tanstack/react-query'
import UserCheck from 'lucide-react/icons/user-check'
import UserPlus from 'lucide-react/icons/user-plus'
import { Link } from 'wouter'
import { Avatar } from '#client/ui/avatar.tsx'
import { Card, CardBody, CardHeader } from '#client/ui/card.tsx'
import { formatPlace } from '#client/ui/format.ts'
import { IconButton } from '#client/ui/icon-button.tsx'
import { QueryState } from '#client/ui/query-state.tsx'
import { SkeletonRows } from '#client/ui/skeleton.tsx'
import type { RecommendedDealer } from '#shared/schemas/dealers.ts'
import { recommendedQuery, useInNetwork } from './dealers.api.ts'

interface Navigation {
  onNavigate?: () => void
}

export function RecommendedSellers({ onNavigate }: Navigation) {
  const recommended = useQuery(recommendedQuery())
  return (
    <Card inset aria-labelledby="recommended-sellers">
      <CardHeader id="recommended-sellers" title="Recommended Sellers" />
      <CardBody>
        <QueryState query={recommended} failure="Sellers could not be loaded" label="Loading recommended sellers">
          <SkeletonRows className="h-20" />
        </QueryState>
        {recommended.data?.length === 0 ? <p className="pb-1 text-ink-2">No recommendations right now</p> : null}
        <ul>
          {recommended.data?.map((seller) => (
            <Seller key={seller.dealer.id} seller={seller} {...(onNavigate && { onNavigate })} />
          ))}
        </ul>
      </CardBody>
    </Card>
  )
}

function Seller({ seller: { dealer, why }, onNavigate }: { seller: RecommendedDealer } & Navigation) {
  const { on, waiting, toggle } = useInNetwork(dealer)
  const place = formatPlace(dealer)
  return (
    <li className="flex min-h-20 items-center gap-3 py-2">
      <Avatar name={dealer.name} src={dealer.avatar} size={32} />
      <Link
        href={`/dealers/${dealer.id}`}
        {...(onNavigate && { onClick: onNavigate })}
        className="min-w-0 flex-1 rounded-sm leading-4 max-md:min-h-11"
      >
        <span className="block truncate font-medium">{dealer.name}</span>
        <span className="block truncate text-xs text-ink-2">
          {dealer.dealershipName}
          {place ? ` · ${place}` : ''}
        </span>
        <span className="line-clamp-2 text-xs wrap-anywhere text-ink-3">{why}</span>
      </Link>
      <IconButton
        line
        label={on ? `Disconnect from ${dealer.name}` : `Connect with ${dealer.name}`}
        icon={on ? <UserCheck size={18} /> : <UserPlus size={18} />}
        aria-pressed={on}
        disabled={waiting}
        onClick={toggle}
      />
    </li>
  )
}
