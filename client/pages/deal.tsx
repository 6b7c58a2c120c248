import { ArrowLeft } from 'lucide-react'
import { useParams } from 'wouter'
import { PageLayout } from '#client/app/page-layout.tsx'
import { DealView } from '#client/features/deals/deal-view.tsx'
import { openChatWith } from '#client/features/messaging/open-chat-with.ts'
import { ReviewForm } from '#client/features/reviews/review-form.tsx'
import { useCurrentDealer } from '#client/lib/current-dealer.ts'
import { ButtonLink } from '#client/ui/button.tsx'
import type { DealDetail } from '#shared/schemas/deals.ts'
import { HomeLeft } from './home-columns.tsx'

/** /deals/{id}: one deal, for its two parties. */
export function DealPage() {
  const { id = '' } = useParams<{ id: string }>()
  const me = useCurrentDealer()
  const otherOf = ({ seller, buyer }: DealDetail) => (seller.id === me.id ? buyer : seller)
  return (
    <PageLayout title="Deal" left={<HomeLeft />}>
      <div className="mb-3 max-md:px-2 max-md:pt-3">
        <ButtonLink href="/deals" variant="ghost" icon={<ArrowLeft size={16} aria-hidden="true" />}>
          All deals
        </ButtonLink>
      </div>
      <DealView
        key={id}
        dealId={id}
        onMessage={(dealerId) => void openChatWith(dealerId)}
        renderReview={(deal) => <ReviewForm dealId={deal.id} about={otherOf(deal).name} />}
      />
    </PageLayout>
  )
}
