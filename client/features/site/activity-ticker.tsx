import { LiveBadge, StatusBadge } from '#client/ui/badge.tsx'
import type { TickerLine } from '#shared/schemas/site.ts'
import { loadTicker } from './site.api.ts'
import { useLoad } from './use-load.ts'

const stripClass = 'flex h-11 items-center overflow-hidden border-y border-line bg-sunken whitespace-nowrap'

/** Shows recent network activity. If there is none, a demo network shows `sample`, and a real network shows a message. */
export function ActivityTicker({ sample }: { sample: readonly TickerLine[] }) {
  const { data, error } = useLoad(loadTicker)
  const isSilent = error !== undefined || data?.length === 0
  const items = isSilent ? sample : (data ?? [])
  if (isSilent && sample.length === 0)
    return (
      <p className={`${stripClass} justify-center text-ink-2`}>
        {error === undefined ? 'No public activity yet' : 'Activity could not be loaded'}
      </p>
    )
  return (
    <div
      role="region"
      aria-label={isSilent ? 'A sample of network activity' : 'On the wire now'}
      className={`ticker ${stripClass}`}
    >
      <div className="ticker-track flex">
        <TickerList items={items} />
        <div aria-hidden="true" className="flex">
          <TickerList items={items} />
        </div>
      </div>
    </div>
  )
}

function TickerList({ items }: { items: readonly TickerLine[] }) {
  return (
    <ul className="flex min-w-screen justify-around gap-8 pl-8">
      {items.map(({ kind, vehicle, state }, place) => (
        <li key={place} className="inline-flex items-center gap-2 text-ink-2">
          {kind === 'live' ? <LiveBadge /> : <StatusBadge status={kind} />}
          <b className="font-semibold text-ink">{vehicle}</b>
          <span className="text-ink-3">{state}</span>
        </li>
      ))}
    </ul>
  )
}
