import { RecommendedSellers } from '#client/features/dealers/recommended-sellers.tsx'
import { DealPanel } from '#client/features/deals/deal-panel.tsx'
import { DirectSales } from '#client/features/dashboard/direct-sales.tsx'
import { NewsCard } from '#client/features/dashboard/news-card.tsx'
import { OwnCard } from '#client/features/dashboard/own-card.tsx'
import { ProfileActivity } from '#client/features/dashboard/profile-activity.tsx'
import { QuickAccess } from '#client/features/dashboard/quick-access.tsx'

/** Left column of the feed and of a post; also what the menu drawer holds. */
export function HomeLeft({ onNavigate }: { onNavigate?: () => void }) {
  return (
    <>
      <QuickAccess {...(onNavigate && { onNavigate })} />
      <RecommendedSellers {...(onNavigate && { onNavigate })} />
      <ProfileActivity />
      <DirectSales />
    </>
  )
}

/** Right column: the dealer, the deals, the news. */
export function HomeRight() {
  return (
    <>
      <OwnCard />
      <DealPanel />
      <NewsCard />
    </>
  )
}
