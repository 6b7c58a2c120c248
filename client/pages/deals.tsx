import { PageLayout } from '#client/app/page-layout.tsx'
import { ConnectionRequests } from '#client/features/deals/connection-requests.tsx'
import { ActiveDeals, CompletedDeals } from '#client/features/deals/deal-panel.tsx'
import { DealsList } from '#client/features/deals/deals-list.tsx'
import { Card } from '#client/ui/card.tsx'
import { HomeLeft } from './home-columns.tsx'

/** /deals: requests, offers that wait for an answer, and every deal; where there is no right column, its lists as well. */
export function DealsPage() {
  return (
    <PageLayout title="Deals" left={<HomeLeft />}>
      <h1 className="mb-3 text-lg font-semibold tracking-lg max-md:px-4 max-md:pt-3">Deals</h1>
      <div className="flex flex-col gap-3">
        <Card>
          <ConnectionRequests all />
        </Card>
        <Card className="divide-y divide-line lg:hidden">
          <ActiveDeals />
          <CompletedDeals />
        </Card>
        <DealsList />
      </div>
    </PageLayout>
  )
}
