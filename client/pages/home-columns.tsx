import { RecommendedSellers } from '#client/features/dealers/recommended-sellers.tsx'
import { DealPanel } from '#client/features/deals/deal-panel.tsx'
import { DirectSales } from '#client/features/side-columns/direct-sales.tsx'
import { NewsCard } from '#client/features/side-columns/news-card.tsx'
import { OwnCard } from '#client/features/side-columns/own-card.tsx'
import { ProfileActivity } from '#client/features/side-columns/profile-activity.tsx'
import { QuickAccess } from '#client/features/side-columns/quick-access.tsx'
import { useDealerPopup } from './dealer-popup.tsx'

/** Left column of the feed and of a post; also what the menu drawer holds (spec A §2 "Home feed shell"). */
export function HomeLeft({ onNavigate }: { onNavigate?: () => void }) {
  const { showProfile, popup } = useDealerPopup()
  return (
    <>
      <QuickAccess {...(onNavigate && { onNavigate })} />
      <RecommendedSellers onProfile={showProfile} />
      <ProfileActivity />
      <DirectSales />
      {popup}
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
