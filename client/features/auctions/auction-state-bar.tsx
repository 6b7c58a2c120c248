import { CircleAlert, CircleCheck, Gavel, Hourglass } from 'lucide-react'
import { type ReactNode } from 'react'
import { cx } from '#client/ui/cx.ts'
import type { Standing } from './auction-standing.ts'

const looks = {
  good: { className: 'border-success-line bg-success-soft text-success-ink', Icon: CircleCheck },
  bad: { className: 'border-danger-line bg-danger-soft text-danger-ink', Icon: CircleAlert },
  wait: { className: 'border-warning-line bg-warning-soft text-warning-ink', Icon: Hourglass },
  neutral: { className: 'border-line bg-sunken text-ink', Icon: Gavel },
}

/** How it stands for this dealer: words, icon and colour, read out when it changes. The focus starts here: not in a field that would open a phone's keyboard. */
export function AuctionStateBar({ standing, children }: { standing: Standing; children?: ReactNode }) {
  const { className, Icon } = looks[standing.tone]
  return (
    <div
      tabIndex={-1}
      data-autofocus
      data-focus-target
      className={cx('flex min-h-14 items-center gap-3 border-b px-5 py-2 max-md:px-4', className)}
    >
      <Icon size={24} aria-hidden="true" className="flex-none" />
      <div role="status" className="min-w-0 flex-1">
        <p className="text-md font-semibold">{standing.title}</p>
        <p className="num text-ink-2">{standing.detail}</p>
      </div>
      {children}
    </div>
  )
}
