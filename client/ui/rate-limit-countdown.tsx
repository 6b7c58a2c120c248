import Hourglass from 'lucide-react/icons/hourglass'
import { useEffect, useState } from 'react'
import { everyVisible } from '#client/lib/screen/visible-interval.ts'
import { ApiError } from '#client/lib/http/api.ts'
import { cx } from './cx.ts'

interface RateLimitCountdownProps {
  query: { isFetching: boolean; failureReason: Error | null }
  className?: string
}

export function RateLimitCountdown({ query: { isFetching, failureReason }, className }: RateLimitCountdownProps) {
  const until = isFetching && failureReason instanceof ApiError ? failureReason.retryAt : undefined
  return until === undefined ? null : <Countdown until={until} className={className} />
}

function Countdown({ until, className }: { until: number; className: string | undefined }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => everyVisible(1_000, () => setNow(Date.now())), [])
  const seconds = Math.max(1, Math.ceil((until - now) / 1_000))
  return (
    <div
      role="status"
      className={cx('flex items-start gap-2 rounded-md bg-accent-soft px-3 py-2 text-accent-ink', className)}
    >
      <Hourglass size={16} className="mt-0.5 flex-none" aria-hidden="true" />
      <div className="min-w-0">
        <p className="font-semibold">One moment, please</p>
        <p className="text-ink-2">
          Too many requests. Resuming
          {/* Hidden from screen readers, because they would announce the time every second. */}
          <span aria-hidden="true">
            {' '}
            in <span className="num">{seconds} s</span>
          </span>
          .
        </p>
      </div>
    </div>
  )
}
