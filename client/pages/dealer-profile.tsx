import { PageLayout } from '#client/app/page-layout.tsx'
import { ProfileView } from '#client/features/dealers/profile-view.tsx'
import { RecentTransactions } from '#client/features/deals/recent-transactions.tsx'
import { ReviewList } from '#client/features/reviews/review-list.tsx'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { ButtonLink } from '#client/ui/button-link.tsx'
import { HomeLeft } from './home-columns.tsx'

export function DealerProfilePage() {
  const me = useCurrentDealer()
  return (
    <PageLayout title="Dealer Profile" left={<HomeLeft />}>
      <ProfileView
        dealerId={me.id}
        own
        renderActions={() => (
          <ButtonLink href="/profile-edit" variant="primary">
            Edit Profile
          </ButtonLink>
        )}
        renderActivity={() => <RecentTransactions />}
        renderReviews={({ id: dealerId }) => (
          <div className="p-4">
            <ReviewList dealerId={dealerId} />
          </div>
        )}
      />
    </PageLayout>
  )
}
