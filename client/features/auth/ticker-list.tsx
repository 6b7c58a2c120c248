import { useQuery } from '@tanstack/react-query'
import Radio from 'lucide-react/icons/radio'
import type { TickerLine } from '#shared/schemas/site.ts'
import { Dot, LiveBadge, StatusBadge } from '#client/ui/badge.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { Loading, SkeletonRows } from '#client/ui/skeleton.tsx'
import { tickerQuery } from './auth.api.ts'

export function TickerList() {
  // Do not fetch below the width at which the panel is shown.
  const { data, isPending, isError } = useQuery({ ...tickerQuery(), enabled: matchMedia('(width >= 64rem)').matches })
  if (isError) return null
  return (
    <div className="relative mx-auto w-full max-w-120 space-y-4">
      <p className="flex items-center gap-1 text-ink-2">
        <Dot tone="live" />
        On the wire now
      </p>
      <div className="overflow-hidden rounded-md border border-line bg-surface">
        {isPending ? (
          <Loading label="Loading recent activity">
            <div className="p-4">
              <SkeletonRows rows={5} />
            </div>
          </Loading>
        ) : null}
        {data?.length === 0 ? (
          <EmptyState icon={<Radio size={24} />} title="No activity yet" hint="New posts and auctions appear here." />
        ) : null}
        <ul>
          {data?.map((line, index) => (
            <Line key={index} line={line} />
          ))}
        </ul>
      </div>
      <p className="text-ink-2">For independent, franchise and wholesale dealers in the US and Canada.</p>
    </div>
  )
}

function Line({ line: { kind, vehicle, state } }: { line: TickerLine }) {
  return (
    <li className="grid grid-cols-[4.5rem_minmax(0,1fr)_auto] items-center gap-3 border-line px-4 py-3 not-last:border-b">
      <span>{kind === 'live' ? <LiveBadge /> : <StatusBadge status={kind} />}</span>
      <p className="truncate font-semibold">{vehicle}</p>
      <span className="text-ink-2">{state}</span>
    </li>
  )
}
