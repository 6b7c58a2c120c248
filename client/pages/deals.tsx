import { PageLayout } from '#client/app/page-layout.tsx'
import { DealsList } from '#client/features/deals/deals-list.tsx'
import { HomeLeft } from './home-columns.tsx'

/** /deals: offers that wait for an answer, and every deal. */
export function DealsPage() {
  return (
    <PageLayout title="Deals" left={<HomeLeft />}>
      <h1 className="mb-3 text-lg font-semibold tracking-lg max-md:px-4 max-md:pt-3">Deals</h1>
      <DealsList />
    </PageLayout>
  )
}
