import { type ReactNode, useEffect, useRef } from 'react'
import { tab } from '#client/lib/storage/tab-state.ts'
import { cx } from '#client/ui/cx.ts'
import { useDocumentTitle } from '#client/ui/document-title.ts'
import { useWide, widthOf } from '#client/ui/screen-width.ts'

interface PageLayoutProps {
  title: string
  /** 256 px wide. Shown only on screens of at least 1280 px; on smaller screens, the menu drawer contains the shortcuts. */
  left?: ReactNode
  leftLabel?: string
  /** 320 px wide. Shown only on screens of at least 1024 px. */
  right?: ReactNode
  rightLabel?: string
  full?: boolean
  children: ReactNode
}

const besideRight = 'beside:grid-cols-[minmax(0,1fr)] beside-wide:grid-cols-[minmax(0,1fr)_20rem]'
const roomOnTheRight = widthOf('(width >= 64rem)')
const grids = {
  both: `lg:grid-cols-[minmax(0,1fr)_20rem] xl:grid-cols-[16rem_minmax(0,1fr)_20rem] chatting:grid-cols-[16rem_minmax(0,1fr)_var(--dock-side)] crowded:grid-cols-[minmax(0,1fr)_var(--dock-side)] ${besideRight}`,
  left: 'xl:grid-cols-[16rem_minmax(0,1fr)] crowded:grid-cols-[minmax(0,1fr)] beside:grid-cols-[minmax(0,1fr)]',
  right: `lg:grid-cols-[minmax(0,1fr)_20rem] chatting:grid-cols-[minmax(0,1fr)_var(--dock-side)] ${besideRight}`,
  none: '',
}

export type PageColumns = keyof typeof grids

export const asideClass = {
  left: 'sticky top-[calc(var(--frame-top,3.5rem)+1rem)] flex min-w-0 flex-col gap-3 max-xl:hidden crowded:hidden beside:hidden',
  right:
    'flex min-w-0 flex-col gap-3 max-lg:hidden chatting:w-80 chatting:justify-self-end beside:hidden beside-wide:flex',
}

export const pageClass = (columns: PageColumns, full: boolean): string =>
  cx(
    'grid grid-cols-[minmax(0,1fr)]',
    !full &&
      'mx-auto max-w-[82rem] items-start gap-6 pt-4 pb-[max(6rem,calc(var(--dock-height,0px)+2rem))] max-[85rem]:px-6 beside:px-6 chatting:mx-0 chatting:max-w-none chatting:pl-6 max-md:gap-0 max-md:px-0 max-md:pt-0 max-md:pb-6',
    !full &&
      (columns === 'both' || columns === 'right' ? 'chatting:pr-4' : 'chatting:pr-[calc(var(--dock-side)+2.5rem)]'),
    grids[columns],
  )

function shapeOf(left: ReactNode, right: ReactNode): PageColumns {
  if (left) return right ? 'both' : 'left'
  return right ? 'right' : 'none'
}

/** A panel beside the page replaces the left column. Open chat windows widen the right column and can also replace the left column. */
export function PageLayout({ title, left, leftLabel, right, rightLabel, full = false, children }: PageLayoutProps) {
  const main = useRef<HTMLElement>(null)
  // Hidden columns are not rendered, so that they fetch no data.
  const hasLeft = useWide() && Boolean(left)
  const hasRight = roomOnTheRight.use() && Boolean(right)
  useDocumentTitle(title)
  useEffect(() => {
    // Do not move focus on the first page, because the browser already starts at the top of a new document.
    if (!tab.isFirstPage) main.current?.focus({ preventScroll: true })
    tab.isFirstPage = false
  }, [])
  return (
    <div className={pageClass(shapeOf(left, right), full)}>
      {hasLeft ? (
        <aside aria-label={leftLabel ?? 'Shortcuts'} className={asideClass.left}>
          {left}
        </aside>
      ) : null}
      <main id="main" ref={main} tabIndex={-1} className="min-w-0">
        {children}
      </main>
      {hasRight ? (
        <aside aria-label={rightLabel ?? 'Your business'} className={asideClass.right}>
          {right}
        </aside>
      ) : null}
    </div>
  )
}
