import { useQuery } from '@tanstack/react-query'
import Sparkles from 'lucide-react/icons/sparkles'
import { Skeleton } from '#client/ui/skeleton.tsx'
import type { MarketPosition, Post } from '#shared/schemas/posts.ts'
import { useEntitled } from '#client/lib/session/my-subscription.ts'
import { marketQuery } from '../posts.api.ts'
import { marketLine, readSummary } from '../posts.rules.ts'

type Summary = ReturnType<typeof readSummary>

export function PostSummary({
  post,
  level = 3,
}: {
  post: Pick<Post, 'id' | 'aiSummary' | 'vehicleCount'>
  level?: 2 | 3
}) {
  const isEntitled = useEntitled('marketPosition')
  const market = useQuery({ ...marketQuery(post.id), enabled: isEntitled && post.vehicleCount > 0 })
  const Heading = level === 2 ? 'h2' : 'h3'
  return (
    <div className="mt-3 rounded-md border border-line bg-sunken px-3 pt-2 pb-3">
      <Heading className="flex h-5 items-center gap-2 text-xs font-semibold text-ink-2">
        <Sparkles size={14} className="text-accent-ink" aria-hidden="true" />
        AI summary
      </Heading>
      <SummaryBody summary={withMarket(readSummary(post.aiSummary), market.data ?? [], post.vehicleCount)} />
    </div>
  )
}

const marketLinesMax = 3

function withMarket(summary: Summary, positions: readonly MarketPosition[], vehicleCount: number): Summary {
  if (summary === undefined || positions.length === 0) return summary
  const lines = positions
    .toSorted((a, b) => a.percent - b.percent)
    .slice(0, marketLinesMax)
    .map((position) => marketLine(position, vehicleCount > 1 ? `${position.name} priced` : 'Priced'))
  return 'raw' in summary ? { raw: [summary.raw, ...lines].join('. ') } : { bullets: [...summary.bullets, ...lines] }
}

function SummaryBody({ summary }: { summary: Summary }) {
  if (!summary) {
    return (
      <div className="mt-2 grid grid-cols-2 gap-x-6 gap-y-2">
        <span className="sr-only">The summary is being prepared</span>
        <Skeleton className="h-3" />
        <Skeleton className="h-3" />
      </div>
    )
  }
  if ('raw' in summary) return <p className="mt-1 text-ink-2">{summary.raw}</p>
  if (summary.bullets.length === 0) return <p className="mt-1 text-ink-2">No vehicle data available</p>
  return (
    <ul className="mt-1 grid grid-cols-2 gap-x-6 max-md:gap-x-4">
      {summary.bullets.map((text, index) => (
        <li
          key={index}
          className="relative pb-1 pl-3 text-pretty text-ink-2 before:absolute before:top-2 before:left-0 before:size-1 before:rounded-full before:bg-ink-3 last:odd:col-span-full"
        >
          {text}
        </li>
      ))}
    </ul>
  )
}
