import { useEffect, useState } from 'react'
import { formatDateTime, formatRelativeTime } from './format.ts'

const tickMs = 30_000

/** An age that stays right, with the full date on hover. */
export function RelativeTime({ iso, className }: { iso: string; className?: string }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tickMs)
    return () => clearInterval(timer)
  }, [])
  return (
    <time dateTime={iso} title={formatDateTime(iso)} className={className}>
      {formatRelativeTime(iso, now)}
    </time>
  )
}
