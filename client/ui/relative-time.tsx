import { useEffect, useReducer } from 'react'
import { serverNow } from '#client/lib/live/connection.ts'
import { everyVisible } from '#client/lib/screen/visible-interval.ts'
import { formatDateTime, formatRelativeTime } from './format.ts'

const tickMs = 30_000

interface RelativeTimeProps {
  iso: string
  format?: (iso: string, nowMs: number) => string
  className?: string
}

/** Shows an age, measured on the server's clock. It stays up to date and shows the full date on hover. */
export function RelativeTime({ iso, format = formatRelativeTime, className }: RelativeTimeProps) {
  const [, tick] = useReducer((ticks: number) => ticks + 1, 0)
  useEffect(() => everyVisible(tickMs, tick), [])
  return (
    <time dateTime={iso} title={formatDateTime(iso)} className={className}>
      {format(iso, serverNow())}
    </time>
  )
}
