import { useQuery } from '@tanstack/react-query'
import { Handshake } from 'lucide-react'
import { type ReactNode } from 'react'
import { reasonOf } from '#client/lib/api.ts'
import { useCurrentDealer } from '#client/lib/current-dealer.ts'
import { Card, CardHeader } from '#client/ui/card.tsx'
import { Count } from '#client/ui/count.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { InlineError } from '#client/ui/inline-error.tsx'
import { Loading, SkeletonRows } from '#client/ui/skeleton.tsx'
import { DealRow } from './deal-row.tsx'
import { dealsQuery } from './deals.api.ts'
import { OfferCard } from './offer-card.tsx'
import { offersQuery } from './offers.api.ts'

interface ListCardProps<Item> {
  id: string
  title: string
  query: {
    data: Item[] | undefined
    isPending: boolean
    error: Error | null
    isFetching: boolean
    refetch: () => unknown
  }
  empty: string
  hint: string
  render: (item: Item) => ReactNode
}

function ListCard<Item>({ id, title, query, empty, hint, render }: ListCardProps<Item>) {
  return (
    <Card aria-labelledby={id}>
      <CardHeader id={id} title={title}>
        {query.data && query.data.length > 0 ? <Count value={query.data.length} tone="quiet" /> : null}
      </CardHeader>
      {query.error ? (
        <div className="px-4 pb-3">
          <InlineError
            title={`${title} could not be loaded`}
            message={reasonOf(query.error)}
            retrying={query.isFetching}
            onRetry={() => void query.refetch()}
          />
        </div>
      ) : null}
      {query.isPending && !query.error ? (
        <div className="px-4 pb-3">
          <Loading label={`Loading ${title.toLowerCase()}`}>
            <SkeletonRows rows={3} />
          </Loading>
        </div>
      ) : null}
      {query.data?.length === 0 ? (
        <EmptyState icon={<Handshake size={24} />} title={empty} hint={hint} compact />
      ) : null}
      <ul className="pb-1">{query.data?.map(render)}</ul>
    </Card>
  )
}

/** Everything the dealer is buying and selling: offers that wait first, then the deals. */
export function DealsList() {
  const me = useCurrentDealer()
  const offers = useQuery(offersQuery())
  const deals = useQuery(dealsQuery(me.id))
  return (
    <div className="flex flex-col gap-3">
      <ListCard
        id="offers"
        title="Offers"
        query={offers}
        empty="No offers yet"
        hint="Open a post and make an offer on one of its vehicles."
        render={(offer) => <OfferCard key={offer.id} offer={offer} />}
      />
      <ListCard
        id="deals"
        title="Deals"
        query={deals}
        empty="No deals yet"
        hint="An accepted offer or a won auction becomes a deal."
        render={(deal) => <DealRow key={deal.id} deal={deal} selling={deal.sellerId === me.id} />}
      />
    </div>
  )
}
