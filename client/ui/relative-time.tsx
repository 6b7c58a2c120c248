import { useServerTime } from '#client/lib/live/server-clock.ts'
import { clockMs } from '#client/lib/live/shared-clocks.ts'
import { formatDateTime, formatRelativeTime } from './format.ts'

interface RelativeTimeProps {
  iso: string
  format?: (iso: string, nowMs: number) => string
  className?: string
}

/** The age of a time by the server's clock, kept up to date. Shows the full date on hover. */
export function RelativeTime({ iso, format = formatRelativeTime, className }: RelativeTimeProps) {
  const age = useServerTime((nowMs) => format(iso, nowMs), { everyMs: clockMs.age })
  return (
    <time dateTime={iso} title={formatDateTime(iso)} className={className}>
      {age}
    </time>
  )
}
