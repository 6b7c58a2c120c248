import Car from 'lucide-react/icons/car'
import Eye from 'lucide-react/icons/eye'
import FileSpreadsheet from 'lucide-react/icons/file-spreadsheet'
import Gavel from 'lucide-react/icons/gavel'
import Users from 'lucide-react/icons/users'
import { type ReactNode } from 'react'
import { ChangingNumber } from '#client/ui/changing-number.tsx'
import { formatNumber, nounOf } from '#client/ui/format.ts'
import type { Post } from '#shared/schemas/posts.ts'
import { countsOf, webAddress } from '../posts.rules.ts'

export function PostCounters({ post }: { post: Post }) {
  const sheet = webAddress(post.spreadsheetUrl)
  return (
    <div className="mt-3 flex flex-wrap items-center justify-between gap-x-3 gap-y-1 pb-2">
      <ul className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-ink-2 [&_svg]:text-ink-3">
        <Counter icon={<Users size={14} />} value={post.dealer.connectionCount} one="connection" />
        <Counter icon={<Car size={14} />} value={countsOf(post).active} one="active" many="active" />
        <Counter icon={<Eye size={14} />} value={post.viewCount} one="view" />
        {post.hasAuction ? <Counter icon={<Gavel size={14} />} value={1} one="auction" /> : null}
      </ul>
      {sheet ? (
        <a
          href={sheet}
          target="_blank"
          rel="noopener noreferrer"
          className="inline-flex items-center gap-2 rounded-sm font-medium text-accent-ink underline-offset-3 hover:underline max-md:min-h-11"
        >
          <FileSpreadsheet size={16} aria-hidden="true" />
          View Business Information
        </a>
      ) : null}
    </div>
  )
}

interface CounterProps {
  icon: ReactNode
  value: number
  one: string
  many?: string
}

function Counter({ icon, value, one, many }: CounterProps) {
  return (
    <li className="flex items-center gap-1 whitespace-nowrap">
      <span aria-hidden="true">{icon}</span>
      <ChangingNumber value={value} text={formatNumber(value)} className="font-semibold text-ink" />{' '}
      {nounOf(value, one, many)}
    </li>
  )
}
