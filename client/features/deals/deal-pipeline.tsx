import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import Handshake from 'lucide-react/icons/handshake'
import { ButtonLink } from '#client/ui/button-link.tsx'
import { Card } from '#client/ui/card.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { useListFocus } from '#client/ui/list-focus.ts'
import { LoadMore } from '#client/ui/load-more.tsx'
import { QueryState } from '#client/ui/query-state.tsx'
import { DebouncedSearch } from '#client/ui/debounced-search.tsx'
import { SkeletonRows } from '#client/ui/skeleton.tsx'
import { Tabs } from '#client/ui/tabs.tsx'
import { dealStages } from '#shared/constants/deals.ts'
import type { DealCounts, DealStage } from '#shared/schemas/deals.ts'
import { dealCountsQuery, dealPipelineQuery } from './deals.api.ts'
import { PipelineRow } from './pipeline-row.tsx'

const stages: Record<DealStage, { label: string; title: string; hint: string }> = {
  turn: {
    label: 'Your turn',
    title: 'Nothing needs your attention right now',
    hint: 'Offers to answer and deals to approve, sign or complete appear here.',
  },
  waiting: {
    label: 'Waiting',
    title: 'Not waiting on anyone',
    hint: 'Offers and deals where the other dealer acts next appear here.',
  },
  completed: {
    label: 'Completed',
    title: 'Nothing completed yet',
    hint: 'The buyer completes a deal once both dealers have signed its documents.',
  },
  cancelled: {
    label: 'Cancelled',
    title: 'Nothing cancelled',
    hint: 'Cancelled deals and offers that fell through appear here.',
  },
}

interface DealPipelineProps {
  stage: DealStage
  onStage: (stage: DealStage) => void
  q: string
  onSearch: (q: string) => void
  selectedId?: string | undefined
  /** The heading level. It is 2 on the page of a single deal, where the deal has the h1. */
  level?: 1 | 2
  search: string
}

export function DealPipeline({ stage, onStage, q, onSearch, selectedId, level = 1, search }: DealPipelineProps) {
  const { data: counts } = useQuery(dealCountsQuery(q))
  const Heading = `h${level}` as const
  return (
    <Card
      aria-labelledby="deals-title"
      className="@container/pipeline xl:sticky xl:top-[calc(var(--frame-top,3.5rem)+1rem)] xl:max-h-[calc(100dvh-var(--frame-top,3.5rem)-2rem)] xl:overflow-y-auto xl:overscroll-contain crowded:static crowded:max-h-96"
    >
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 px-4 pt-3 pb-1">
        <Heading id="deals-title" className="text-lg font-semibold tracking-lg">
          Deals
        </Heading>
        <DebouncedSearch
          label="Search deals"
          placeholder="VIN, vehicle or dealer"
          value={q}
          onSearch={onSearch}
          className="min-w-48 flex-1 @3xl/pipeline:max-w-80"
        />
      </div>
      <Tabs
        label="Deals by whose turn it is"
        value={stage}
        onChange={onStage}
        listClassName="bg-surface px-4 max-md:justify-between max-md:gap-2! xl:sticky xl:top-0 xl:z-1 xl:gap-3"
        tabs={dealStages.map((value) => ({
          value,
          label: stages[value].label,
          count: counts?.[value],
          urgent: value === 'turn',
          content: <StageList stage={value} q={q} counts={counts} selectedId={selectedId} search={search} />,
        }))}
      />
    </Card>
  )
}

interface StageListProps extends Pick<DealPipelineProps, 'stage' | 'q' | 'selectedId' | 'search'> {
  counts: DealCounts | undefined
}

function StageList({ stage, q, counts, selectedId, search }: StageListProps) {
  const query = useInfiniteQuery(dealPipelineQuery(stage, q))
  const rows = useListFocus('name')
  const items = query.data?.pages.flatMap((page) => page.items)
  return (
    <>
      <QueryState query={query} failure="Deals could not be loaded" label="Loading deals" className="px-4 py-3">
        <SkeletonRows rows={4} className="py-3" lead="h-12 w-18 rounded-sm" />
      </QueryState>
      {items?.length === 0 ? <NothingHere stage={stage} q={q} counts={counts} /> : null}
      <ul {...rows} aria-label={stages[stage].label}>
        {items?.map((item) => (
          <PipelineRow key={item.deal?.id ?? item.offer?.id} item={item} selectedId={selectedId} search={search} />
        ))}
      </ul>
      {query.hasNextPage ? (
        <LoadMore busy={query.isFetchingNextPage} onLoad={() => void query.fetchNextPage()} />
      ) : null}
    </>
  )
}

function NothingHere({ stage, q, counts }: Pick<StageListProps, 'stage' | 'q' | 'counts'>) {
  const total = counts && counts.turn + counts.waiting + counts.completed + counts.cancelled
  if (q !== '')
    return (
      <EmptyState
        icon={<Handshake size={24} />}
        title="No deals found"
        hint={
          total ? `Nothing under ${stages[stage].label}. Check the other tabs.` : 'Search by VIN, vehicle or dealer.'
        }
      />
    )
  if (total === 0)
    return (
      <EmptyState
        icon={<Handshake size={24} />}
        title="No deals yet"
        hint="An accepted offer or a won auction becomes a deal. Open a post and make an offer on one of its vehicles."
        action={<ButtonLink href="/">Go to the feed</ButtonLink>}
      />
    )
  const { title, hint } = stages[stage]
  return <EmptyState icon={<Handshake size={24} />} title={title} hint={hint} />
}
