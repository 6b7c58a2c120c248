import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import Handshake from 'lucide-react/icons/handshake'
import { useCallback, useState } from 'react'
import { useParams, useSearch, useSearchParams } from 'wouter'
import { PageLayout } from '#client/app/page-layout.tsx'
import { openPostInventory } from '#client/app/post-inventory.ts'
import { ConnectionRequests } from '#client/features/deals/connection-requests.tsx'
import { ActiveDeals, CompletedDeals } from '#client/features/deals/deals-panel.tsx'
import { DealPipeline } from '#client/features/deals/deal-pipeline.tsx'
import { dealQuery } from '#client/features/deals/deal.api.ts'
import { dealCountsQuery, dealPipelineQuery } from '#client/features/deals/deals.api.ts'
import { HowDealsBegin } from '#client/features/deals/how-deals-begin.tsx'
import { DealSkeleton, DealView } from '#client/features/deals/room/deal-view.tsx'
import { Conversation, focusConversation } from '#client/features/messaging/thread/conversation.tsx'
import { ReviewForm } from '#client/features/reviews/review-form.tsx'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { ButtonLink } from '#client/ui/button-link.tsx'
import { Card } from '#client/ui/card.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { useWide } from '#client/ui/screen-width.ts'
import { stageOf } from '#shared/deal-rules.ts'
import { dealStages } from '#shared/constants/deals.ts'
import type { DealDetail, DealPipelinePage } from '#shared/schemas/deals.ts'

/** The list with one deal next to it. Below 1280 px, the list and the deal are separate pages. */
export function DealsPage() {
  const { id } = useParams<{ id?: string }>()
  const isWide = useWide()
  if (isWide)
    return (
      <PageLayout title={titleOf(id)}>
        <DealsSideBySide id={id} />
      </PageLayout>
    )
  // The key remounts the page for the list and for each deal, so that the main region gets focus.
  return (
    <PageLayout key={id ?? ''} title={titleOf(id)}>
      {id === undefined ? <DealsAlone /> : <DealAlone id={id} />}
    </PageLayout>
  )
}

/** Shows the deal in the URL, or else the first deal that needs the dealer's attention. */
function DealsSideBySide({ id }: { id: string | undefined }) {
  const first = useFirstDeal(id === undefined)
  const dealId = id ?? first.dealId
  return (
    <div className="grid items-start gap-6 xl:grid-cols-[28rem_minmax(0,1fr)] crowded:grid-cols-[minmax(0,1fr)]">
      <DealsColumn dealId={id} selectedId={dealId} />
      <div className="flex min-w-0 flex-col gap-3">
        {dealId === undefined ? null : (
          // Make the deal as tall as the screen, so that the connection requests below it do not move while it loads.
          <div className="min-h-[calc(100dvh-var(--frame-top,3.5rem))]">
            <OneDeal key={dealId} id={dealId} level={id === undefined ? 2 : 1} />
          </div>
        )}
        {dealId === undefined && first.isPending ? <DealSkeleton /> : null}
        {dealId === undefined && !first.isPending ? <NoDealChosen /> : null}
        {id === undefined && !first.isPending ? (
          <Card>
            <ConnectionRequests all />
          </Card>
        ) : null}
      </div>
    </div>
  )
}

/**
 * Returns the first deal that needs the dealer's attention, unless the URL contains a stage or a search. Keeps that result when the list
 * changes, so that the deal being read is not replaced.
 */
function useFirstDeal(isWanted: boolean): { dealId: string | undefined; isPending: boolean } {
  const isPlain = useSearch() === ''
  const [chosen, setChosen] = useState<{ dealId: string | undefined }>()
  const { data, isPending } = useInfiniteQuery({ ...dealPipelineQuery('turn', ''), enabled: isWanted && isPlain })
  const found = isPlain ? data && { dealId: firstDealOf(data) } : { dealId: undefined }
  if (isWanted && !chosen && found) setChosen(found)
  if (!isWanted && chosen) setChosen(undefined)
  return { dealId: isWanted ? chosen?.dealId : undefined, isPending: !chosen && isPending }
}

const firstDealOf = ({ pages }: { pages: readonly DealPipelinePage[] }): string | undefined =>
  pages.flatMap(({ items }) => items).find(({ deal }) => deal !== null)?.deal?.id

const titleOf = (id: string | undefined): string => (id === undefined ? 'Deals' : 'Deal')

/** The list of deals. Its stage and search are in the URL, so that links and the Back button work. */
function DealsColumn({ dealId, selectedId }: { dealId?: string | undefined; selectedId?: string | undefined }) {
  const search = useSearch()
  const [params, setParams] = useSearchParams()
  const { data: deal } = useQuery({ ...dealQuery(dealId ?? ''), enabled: dealId !== undefined })
  const named = dealStages.find((one) => one === params.get('stage'))
  const set = useCallback(
    (name: 'stage' | 'q', value: string) =>
      setParams(
        (current) => {
          const wanted = new URLSearchParams(current)
          if (value === '') wanted.delete(name)
          else wanted.set(name, value)
          return wanted
        },
        { replace: true },
      ),
    [setParams],
  )
  const onSearch = useCallback((q: string) => set('q', q), [set])
  return (
    <DealPipeline
      // A deal opened from a link appears in the list of its own stage.
      stage={named ?? (deal ? stageOf(deal) : 'turn')}
      onStage={(stage) => set('stage', stage)}
      q={params.get('q') ?? ''}
      onSearch={onSearch}
      selectedId={selectedId}
      level={dealId === undefined ? 1 : 2}
      search={search}
    />
  )
}

function NoDealChosen() {
  if (useHasNoDeals())
    return (
      <Card>
        <HowDealsBegin onPost={openPostInventory} />
      </Card>
    )
  return (
    <Card>
      <EmptyState
        icon={<Handshake size={24} />}
        title="Select a deal"
        hint="Its vehicle, documents, conversation and offers appear here."
      />
    </Card>
  )
}

function useHasNoDeals(): boolean {
  const { data } = useQuery(dealCountsQuery())
  return data !== undefined && data.turn + data.waiting + data.completed + data.cancelled === 0
}

function DealsAlone() {
  const hasNone = useHasNoDeals()
  const { isPending } = useInfiniteQuery(dealPipelineQuery('turn', ''))
  return (
    <div className="flex flex-col gap-3">
      <DealsColumn />
      {hasNone ? (
        <Card>
          <HowDealsBegin onPost={openPostInventory} />
        </Card>
      ) : null}
      {/* Hidden while the list is loading, because these cards would move when the list arrives. */}
      {isPending ? null : (
        <>
          <Card>
            <ConnectionRequests all />
          </Card>
          <Card className="divide-y divide-line lg:hidden">
            <ActiveDeals />
            <CompletedDeals />
          </Card>
        </>
      )}
    </div>
  )
}

function DealAlone({ id }: { id: string }) {
  const search = useSearch()
  return (
    <>
      <div className="mb-3 max-md:px-2 max-md:pt-3">
        <ButtonLink
          href={`/deals${search && `?${search}`}`}
          variant="ghost"
          icon={<ArrowLeft size={16} aria-hidden="true" />}
        >
          All deals
        </ButtonLink>
      </div>
      <OneDeal id={id} />
    </>
  )
}

function OneDeal({ id, level = 1 }: { id: string; level?: 1 | 2 }) {
  const me = useCurrentDealer()
  const otherSide = ({ seller }: DealDetail) => (seller.id === me.id ? 'buyer' : 'seller')
  return (
    <DealView
      key={id}
      dealId={id}
      level={level}
      onMessage={focusConversation}
      renderReview={(deal) => <ReviewForm dealId={deal.id} about={deal[otherSide(deal)].name} />}
      renderConversation={(deal) => {
        const side = otherSide(deal)
        const absence = deal.absent.find((one) => one.side === side)?.is
        return (
          <Conversation
            dealer={deal[side]}
            chatId={deal.chatId}
            closed={absence && closedTexts[absence](deal[side].name)}
          />
        )
      }}
    />
  )
}

const closedTexts = {
  unavailable: (name: string) => `${name} cannot receive messages right now.`,
  deleted: () => 'This dealer is no longer on Lanewire, so you cannot message them.',
}
