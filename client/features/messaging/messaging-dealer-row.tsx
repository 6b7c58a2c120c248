import { type ReactNode } from 'react'
import { Avatar } from '#client/ui/avatar.tsx'
import { shortTime } from './short-time.ts'

interface DealerRowProps {
  dealer: { name: string; avatar: string | null }
  detail: ReactNode
  /** When that was. */
  at?: string
  onPick: () => void
}

/** A dealer as a row of a list that picks one. */
export function DealerRow({ dealer, detail, at, onPick }: DealerRowProps) {
  return (
    <button
      type="button"
      onClick={onPick}
      className="flex min-h-14 w-full items-center gap-3 px-3 text-left -outline-offset-2 hover:bg-hover"
    >
      <Avatar name={dealer.name} src={dealer.avatar} size={32} />
      <span className="min-w-0 flex-1">
        <span className="flex justify-between gap-2">
          <span className="truncate font-medium">{dealer.name}</span>
          {at === undefined ? null : (
            <time dateTime={at} className="num flex-none text-xs leading-5 text-ink-3">
              {shortTime(at)}
            </time>
          )}
        </span>
        <span className="block truncate text-xs text-ink-2">{detail}</span>
      </span>
    </button>
  )
}
