import { ChevronLeft, ChevronRight } from 'lucide-react'
import { Button } from './button.tsx'
import { IconButton } from './icon-button.tsx'

/** The button under a list that grows. */
export function LoadMore({
  onLoad,
  busy = false,
  label = 'Load More',
}: {
  onLoad: () => void
  busy?: boolean
  label?: string
}) {
  return (
    <div className="flex justify-center p-2">
      <Button size="lg" busy={busy} onClick={onLoad}>
        {label}
      </Button>
    </div>
  )
}

interface PaginationProps {
  /** From 1. */
  page: number
  pageCount: number
  onPage: (page: number) => void
}

/** Back and forth through numbered pages of a table. Nothing is shown for a single page. */
export function Pagination({ page, pageCount, onPage }: PaginationProps) {
  if (pageCount <= 1) return null
  return (
    <nav aria-label="Pages" className="flex items-center justify-end gap-2 px-4 py-2">
      <IconButton
        label="Previous page"
        icon={<ChevronLeft size={18} />}
        disabled={page <= 1}
        onClick={() => onPage(page - 1)}
      />
      <span className="num text-xs text-ink-2" aria-live="polite">
        Page {page} of {pageCount}
      </span>
      <IconButton
        label="Next page"
        icon={<ChevronRight size={18} />}
        disabled={page >= pageCount}
        onClick={() => onPage(page + 1)}
      />
    </nav>
  )
}
