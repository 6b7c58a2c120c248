import { wireItems } from '#client/content/landing.ts'
import { LiveBadge, StatusBadge } from '#client/ui/badge.tsx'

/** The strip of activity: moves at 40 px/s, rests under the pointer and where less motion is asked for. */
export function LandingWire() {
  return (
    <div
      role="region"
      aria-label="A sample of network activity"
      className="wire flex h-11 items-center overflow-hidden border-y border-line bg-sunken whitespace-nowrap"
    >
      <div className="wire-track flex">
        <WireList />
        <div aria-hidden="true" className="flex">
          <WireList />
        </div>
      </div>
    </div>
  )
}

function WireList() {
  return (
    <ul className="flex gap-8 pl-8">
      {wireItems.map((item) => (
        <li key={item.vehicle} className="inline-flex items-center gap-2 text-ink-2">
          {item.kind === 'live' ? <LiveBadge /> : <StatusBadge status={item.kind} />}
          <b className="font-semibold text-ink">{item.vehicle}</b>
          <span className="num">{item.amount}</span>
          <span className="text-ink-3">{item.detail}</span>
        </li>
      ))}
    </ul>
  )
}
