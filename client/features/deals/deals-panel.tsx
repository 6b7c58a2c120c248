import { useQuery } from '@tanstack/react-query'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { ButtonLink } from '#client/ui/button-link.tsx'
import { Card, CardBody, CardHeader, KeyValue } from '#client/ui/card.tsx'
import { Count } from '#client/ui/count.tsx'
import { QueryState } from '#client/ui/query-state.tsx'
import { Loading, SkeletonRows } from '#client/ui/skeleton.tsx'
import { dealPanelActive, dealPanelCompleted } from '#shared/limits.ts'
import type { Deal } from '#shared/schemas/deals.ts'
import { ConnectionRequests } from './connection-requests.tsx'
import { DealRow } from './deal-row.tsx'
import { dealsQuery } from './deals.api.ts'

export function DealPanel() {
  return (
    <Card className="divide-y divide-line">
      <ActiveDeals />
      <ConnectionRequests />
      <ProfileInfo />
      <CompletedDeals />
    </Card>
  )
}

export function ActiveDeals() {
  const me = useCurrentDealer()
  const deals = useQuery(dealsQuery(me.id))
  const active = deals.data?.filter(({ status }) => status === 'pending' || status === 'approved')
  return (
    <section aria-labelledby="panel-active">
      <CardHeader id="panel-active" title="Active Deals">
        {active && active.length > 0 ? <Count value={active.length} tone="quiet" /> : null}
      </CardHeader>
      {deals.data && !deals.isError ? null : (
        <CardBody>
          <QueryState query={deals} failure="Deals could not be loaded" label="Loading deals">
            <SkeletonRows rows={dealPanelActive} className="h-14" />
          </QueryState>
        </CardBody>
      )}
      <DealList deals={active} limit={dealPanelActive} empty="No active deals" me={me.id} />
    </section>
  )
}

export function CompletedDeals() {
  const me = useCurrentDealer()
  const deals = useQuery(dealsQuery(me.id))
  const completed = deals.data?.filter((deal) => deal.status === 'completed')
  return (
    <section aria-labelledby="panel-completed">
      <CardHeader id="panel-completed" title="Completed Deals" />
      {deals.isPending && !deals.isError ? (
        <CardBody>
          <Loading label="Loading completed deals">
            <SkeletonRows rows={dealPanelCompleted} className="h-14" />
          </Loading>
        </CardBody>
      ) : null}
      <DealList deals={completed} limit={dealPanelCompleted} empty="No completed deals yet" me={me.id} />
    </section>
  )
}

interface DealListProps {
  deals: Deal[] | undefined
  limit: number
  empty: string
  me: string
}

function DealList({ deals, limit, empty, me }: DealListProps) {
  if (!deals) return null
  if (deals.length === 0) return <p className="px-4 pb-3 text-ink-2">{empty}</p>
  return (
    <ul className="pb-2">
      {deals.slice(0, limit).map((deal) => (
        <DealRow key={deal.id} deal={deal} selling={deal.sellerId === me} />
      ))}
    </ul>
  )
}

function ProfileInfo() {
  const me = useCurrentDealer()
  return (
    <section aria-labelledby="panel-profile">
      <CardHeader id="panel-profile" title="Profile Info">
        <ButtonLink href="/profile-edit" size="sm">
          Edit Profile
        </ButtonLink>
      </CardHeader>
      <CardBody>
        <dl>
          <KeyValue label="Email">{me.email}</KeyValue>
          <KeyValue label="Phone">{me.phone ?? 'Not provided'}</KeyValue>
        </dl>
      </CardBody>
    </section>
  )
}
