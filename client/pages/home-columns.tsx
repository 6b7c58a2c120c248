import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { RecommendedSellers } from '#client/features/dealers/recommended-sellers.tsx'
import { dealCountsQuery, requestsQuery } from '#client/features/deals/deals.api.ts'
import { DealPanel } from '#client/features/deals/deals-panel.tsx'
import { useHasFigures } from '#client/features/dashboard/dashboard.api.ts'
import { DirectSales } from '#client/features/dashboard/direct-sales.tsx'
import { NewsCard } from '#client/features/dashboard/news-card.tsx'
import { OwnCard } from '#client/features/dashboard/own-card.tsx'
import { ProfileActivity } from '#client/features/dashboard/profile-activity.tsx'
import { QuickAccess } from '#client/features/dashboard/quick-access.tsx'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { Card } from '#client/ui/card.tsx'

export function HomeLeft({ onNavigate }: { onNavigate?: () => void }) {
  const hasFigures = useHasFigures()
  return (
    <>
      <QuickAccess {...(onNavigate && { onNavigate })} />
      <RecommendedSellers {...(onNavigate && { onNavigate })} />
      {hasFigures ? (
        <>
          <ProfileActivity />
          <DirectSales />
        </>
      ) : null}
    </>
  )
}

export function HomeRight() {
  const hasDecision = useHasDecision()
  return (
    <>
      <OwnCard />
      {hasDecision === undefined ? <Card className="h-96" /> : null}
      {hasDecision === false ? <NewsCard /> : null}
      {hasDecision === undefined ? null : <DealPanel />}
      {hasDecision === true ? <NewsCard /> : null}
    </>
  )
}

/** True if a deal or connection request needs the dealer's decision. The first result is kept, so that the cards do not move. */
function useHasDecision(): boolean | undefined {
  const me = useCurrentDealer()
  const deals = useQuery(dealCountsQuery())
  const requests = useQuery(requestsQuery(me.id))
  const [first, setFirst] = useState<boolean>()
  if (first !== undefined) return first
  if (deals.isPending || requests.isPending) return undefined
  // On an error, return true: the panel then comes first and shows the error.
  const now = deals.isError || requests.isError || deals.data.turn > 0 || requests.data.length > 0
  setFirst(now)
  return now
}
