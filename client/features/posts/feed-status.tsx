import { useConnection } from '#client/lib/connection.ts'
import { Dot } from '#client/ui/badge.tsx'

/** At the end of the summary line: how fresh the feed is kept. */
export function FeedStatus() {
  const live = useConnection() !== 'offline'
  return (
    <span className="flex flex-none items-center gap-1">
      <Dot tone={live ? 'ok' : 'warning'} />
      {live ? 'Live updates' : 'Updates every 30 s'}
    </span>
  )
}
