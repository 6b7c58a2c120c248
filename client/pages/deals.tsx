import { useQuery } from '@tanstack/react-query'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import Handshake from 'lucide-react/icons/handshake'
import { useCallback } from 'react'
import { useParams, useSearch, useSearchParams } from 'wouter'
import { PageLayout } from '#client/app/page-layout.tsx'
import { ConnectionRequests } from '#client/features/deals/connection-requests.tsx'
import { ActiveDeals, CompletedDeals } from '#client/features/deals/deals-panel.tsx'
import { DealPipeline } from '#client/features/deals/deal-pipeline.tsx'
import { DealView } from '#client/features/deals/deal-view.tsx'
import { dealQuery } from '#client/features/deals/deal.api.ts'
import { openChatWith } from '#client/features/messaging/open-chat-with.ts'
import { ReviewForm } from '#client/features/reviews/review-form.tsx'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { ButtonLink } from '#client/ui/button-link.tsx'
import { Card } from '#client/ui/card.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { useWide } from '#client/ui/screen-width.ts'
import { stageOf } from '#shared/deal-rules.ts'
import { type DealDetail, dealStages } from '#shared/schemas/deals.ts'

/** /deals and /deals/{id}: the list, with the deal from the URL next to it. Below 1280 px, one page at a time. */
export function DealsPage() {
  const { id } = useParams<{ id?: string }>()
  const isWide = useWide()
  if (isWide)
    return (
      <PageLayout title={titleOf(id)}>
        <div className="grid items-start gap-6 xl:grid-cols-[28rem_minmax(0,1fr)]">
          <DealsColumn dealId={id} />
          <div className="flex min-w-0 flex-col gap-3">{id === undefined ? <NoDealChosen /> : <OneDeal id={id} />}</div>
        </div>
      </PageLayout>
    )
  // The key makes each a page of its own, whose main region gets focus.
  return (
    <PageLayout key={id ?? ''} title={titleOf(id)}>
      {id === undefined ? <DealsAlone /> : <DealAlone id={id} />}
    </PageLayout>
  )
}

const titleOf = (id: string | undefined): string => (id === undefined ? 'Deals' : 'Deal')

/** Stage and search are in the URL, so that they work with links and Back. */
function DealsColumn({ dealId }: { dealId?: string | undefined }) {
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
      // A deal opened from a link is shown with others of its stage.
      stage={named ?? (deal ? stageOf(deal) : 'turn')}
      onStage={(stage) => set('stage', stage)}
      q={params.get('q') ?? ''}
      onSearch={onSearch}
      selectedId={dealId}
      search={search}
    />
  )
}

function NoDealChosen() {
  return (
    <>
      <Card>
        <EmptyState
          icon={<Handshake size={24} />}
          title="Select a deal"
          hint="Its vehicle, documents and timeline appear here."
        />
      </Card>
      <Card>
        <ConnectionRequests all />
      </Card>
    </>
  )
}

function DealsAlone() {
  return (
    <div className="flex flex-col gap-3">
      <DealsColumn />
      <Card>
        <ConnectionRequests all />
      </Card>
      <Card className="divide-y divide-line lg:hidden">
        <ActiveDeals />
        <CompletedDeals />
      </Card>
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

function OneDeal({ id }: { id: string }) {
  const me = useCurrentDealer()
  const otherOf = ({ seller, buyer }: DealDetail) => (seller.id === me.id ? buyer : seller)
  return (
    <DealView
      key={id}
      dealId={id}
      onMessage={(dealerId) => void openChatWith(dealerId)}
      renderReview={(deal) => <ReviewForm dealId={deal.id} about={otherOf(deal).name} />}
    />
  )
}
