import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { Avatar } from '#client/ui/avatar.tsx'
import { Card } from '#client/ui/card.tsx'
import { DotSeparator } from '#client/ui/dot-separator.tsx'
import { capitalize, formatNumber, formatPlace, formatRating } from '#client/ui/format.ts'

export function OwnCard() {
  const me = useCurrentDealer()
  const place = formatPlace(me)
  return (
    <Card className="p-4" aria-label="Your dealership">
      <div className="flex items-center gap-3">
        <Avatar name={me.name} src={me.avatar} size={56} />
        <div className="min-w-0 flex-1">
          <p className="truncate text-md font-semibold">{me.name}</p>
          <p className="truncate text-ink-2">{me.dealershipName}</p>
          <p className="truncate text-xs text-ink-3">
            {capitalize(me.dealershipType)}
            {place ? <DotSeparator /> : null}
            {place}
          </p>
        </div>
      </div>
      <dl className="mt-3 grid grid-cols-3 border-t border-line pt-3">
        <Figure label="Connections" value={formatNumber(me.connectionCount)} />
        <Figure label="Deals" value={formatNumber(me.dealsCompleted)} />
        <Figure label="Rating" value={me.rating === null ? 'New' : formatRating(me.rating)} />
      </dl>
    </Card>
  )
}

function Figure({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt className="text-xs text-ink-2">{label}</dt>
      <dd className="num text-base font-semibold">{value}</dd>
    </div>
  )
}
