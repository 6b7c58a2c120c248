import { useQuery } from '@tanstack/react-query'
import TriangleAlert from 'lucide-react/icons/triangle-exclamation-point'
import { type ReactNode, useEffect } from 'react'
import { ApiError, isNotFound } from '#client/lib/http/api.ts'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { ButtonLink } from '#client/ui/button-link.tsx'
import { Card } from '#client/ui/card.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { QueryError } from '#client/ui/query-state.tsx'
import { Loading, Skeleton, SkeletonRows } from '#client/ui/skeleton.tsx'
import type { DealDetail } from '#shared/schemas/deals.ts'
import { dealQuery } from '../deal.api.ts'
import { showStep, stepMark, useStepFocus } from '../step-focus.ts'
import { DealActs } from './deal-acts.tsx'
import { DealDocuments } from './deal-documents.tsx'
import { Absence, DealHead, Review } from './deal-head.tsx'
import { DealOffers } from './deal-offers.tsx'
import { DealPath } from './deal-path.tsx'
import { DealTimeline } from './deal-timeline.tsx'

interface DealViewProps {
  dealId: string
  level?: 1 | 2
  onMessage: (dealerId: string) => void
  renderReview: (deal: DealDetail) => ReactNode
  /** Renders the conversation between the two parties. Not called for other viewers, such as admins. */
  renderConversation: (deal: DealDetail) => ReactNode
}

/** True if the deal does not exist, or if the viewer may not see it because it is between other dealers. */
const isInaccessible = (error: unknown): boolean =>
  isNotFound(error) || (error instanceof ApiError && error.status === 403)

export function DealView({ dealId, ...parts }: DealViewProps) {
  const deal = useQuery(dealQuery(dealId))
  const failure = deal.error ? <QueryError query={deal} failure="The deal could not be loaded" /> : null
  if (deal.data)
    return (
      <div className="flex flex-col gap-3">
        {failure}
        <LoadedDeal deal={deal.data} {...parts} />
      </div>
    )
  if (isInaccessible(deal.error)) {
    return (
      <Card>
        <EmptyState
          level={1}
          icon={<TriangleAlert size={24} />}
          title="Deal not found"
          hint="Only the seller and the buyer can see this deal."
          action={<ButtonLink href="/deals">Your deals</ButtonLink>}
        />
      </Card>
    )
  }
  return failure ?? <DealSkeleton />
}

// Two columns if the container is wide enough, with the conversation beside both rows. Otherwise one column.
const room =
  'grid grid-cols-[minmax(0,1fr)] items-start gap-3 @[46rem]/room:grid-cols-[minmax(0,1fr)_20rem] @[46rem]/room:grid-rows-[auto_1fr]'
const beside =
  'h-96 @[46rem]/room:sticky @[46rem]/room:top-[calc(var(--frame-top,3.5rem)+1rem)] @[46rem]/room:row-span-2 @[46rem]/room:h-[max(20rem,calc(100dvh-var(--frame-top,3.5rem)-5.5rem))]'
const part = '@container/deal flex min-w-0 flex-col gap-3'

function LoadedDeal({
  deal,
  level = 1,
  onMessage,
  renderReview,
  renderConversation,
}: { deal: DealDetail } & Omit<DealViewProps, 'dealId'>) {
  const me = useCurrentDealer()
  const selling = deal.seller.id === me.id
  const isParty = selling || deal.buyer.id === me.id
  const other = selling ? deal.buyer : deal.seller
  const canWrite = isParty && !deal.absent.some(({ side }) => deal[side].id === other.id)
  const { step, onFocus } = useStepFocus(deal)
  // Scroll to the action that the URL's hash names. Links in the list of deals set the hash.
  useEffect(() => showStep(deal.id, window.location.hash.slice(1)), [deal.id])
  return (
    <div className="@container/room">
      <div className={isParty ? room : 'flex flex-col gap-3'}>
        <div className={part}>
          <Card aria-labelledby="deal-title">
            <DealHead deal={deal} selling={selling} level={level} />
            <DealPath deal={deal} otherName={other.name} />
            <Absence deal={deal} me={me.id} />
            <Review deal={deal} />
            <DealActs
              deal={deal}
              otherName={other.name}
              step={step}
              onFocus={onFocus}
              onMessage={canWrite ? () => onMessage(other.id) : undefined}
            />
          </Card>
          {deal.may.review ? <div {...stepMark(deal.id, 'review')}>{renderReview(deal)}</div> : null}
          <DealDocuments deal={deal} onFocus={onFocus} />
        </div>
        {isParty ? <div className={beside}>{renderConversation(deal)}</div> : null}
        <div className={part}>
          <DealOffers deal={deal} />
          <DealTimeline steps={deal.steps} />
        </div>
      </div>
    </div>
  )
}

/** Has the same layout as the deal, so that nothing moves when the deal loads. */
export function DealSkeleton() {
  return (
    <Loading label="Loading the deal">
      <div className="@container/room">
        <div className={room}>
          <div className={part}>
            <Card>
              <div className="flex gap-4 p-4">
                <Skeleton className="h-32 w-43 flex-none max-md:w-28" />
                <div className="flex-1 space-y-3">
                  <Skeleton className="h-5 w-3/5" />
                  <Skeleton className="h-3 w-2/5" />
                  <Skeleton className="h-5 w-1/4" />
                </div>
              </div>
              <div className="grid grid-cols-3 gap-4 px-4 pb-6">
                {Array.from({ length: 6 }, (_, index) => (
                  <Skeleton key={index} className="h-8" />
                ))}
              </div>
              <div className="flex justify-around gap-4 px-4 pb-4">
                {Array.from({ length: 5 }, (_, index) => (
                  <Skeleton key={index} className="size-6 rounded-full" />
                ))}
              </div>
            </Card>
            <Card className="p-4">
              <SkeletonRows rows={2} className="h-20" lead="h-18 w-14" />
            </Card>
          </div>
          <Card className={`${beside} max-md:hidden`} />
        </div>
      </div>
    </Loading>
  )
}
