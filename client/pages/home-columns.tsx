import { RecommendedSellers } from '#client/features/dealers/recommended-sellers.tsx'
import { DealPanel } from '#client/features/deals/deals-panel.tsx'
import { useHasFigures } from '#client/features/dashboard/dashboard.api.ts'
import { DirectSales } from '#client/features/dashboard/direct-sales.tsx'
import { NewsCard } from '#client/features/dashboard/news-card.tsx'
import { OwnCard } from '#client/features/dashboard/own-card.tsx'
import { ProfileActivity } from '#client/features/dashboard/profile-activity.tsx'
import { QuickAccess } from '#client/features/dashboard/quick-access.tsx'

/** The left column of the feed and of a post. The menu drawer shows it too. */
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
  return (
    <>
      <OwnCard />
      <DealPanel />
      <NewsCard />
    </>
  )
}
