import { useEffect } from 'react'

const step: Record<string, number> = { j: 1, k: -1, PageDown: 1, PageUp: -1, ArrowDown: 1, ArrowUp: -1 }
const feed = '[role="feed"]'
const focusable = 'a[href], button:not(:disabled), input:not(:disabled), textarea:not(:disabled)'

/**
 * The keys of the feed pattern (ARIA practices). j and k anywhere, Page Down and Page Up inside the feed, the arrows on
 * a post: the focus goes to the next or the previous post; Enter opens it. Control with Home or End leaves the feed.
 */
export function useFeedKeys(open: (postIndex: number) => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const { target, key } = event
      if (event.defaultPrevented || event.metaKey || event.altKey || !(target instanceof HTMLElement)) return
      const next = event.ctrlKey ? outOfFeed(target, key) : nextItem(target, key, open)
      if (!next) return
      event.preventDefault()
      next.focus()
      next.scrollIntoView({ block: event.ctrlKey ? 'nearest' : 'start' })
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [open])
}

function nextItem(target: HTMLElement, key: string, open: (postIndex: number) => void): HTMLElement | undefined {
  const items = [...document.querySelectorAll<HTMLElement>('[data-feed-item]')]
  const onItem = items.indexOf(target)
  if (key === 'Enter' && onItem >= 0) open(onItem)
  const by = step[key]
  if (by === undefined || isBusyElsewhere(target)) return undefined
  const from = items.findIndex((item) => item.contains(target))
  if (key.startsWith('Arrow') ? onItem < 0 : key.startsWith('Page') && from < 0) return undefined
  return items[from < 0 ? firstOnScreen(items) : from + by]
}

/** The first control after the feed, or the last one before it. */
function outOfFeed(target: HTMLElement, key: string): HTMLElement | undefined {
  const own = target.closest(feed)
  if (!own || isBusyElsewhere(target) || (key !== 'Home' && key !== 'End')) return undefined
  const wanted = key === 'End' ? Node.DOCUMENT_POSITION_FOLLOWING : Node.DOCUMENT_POSITION_PRECEDING
  const others = [...document.querySelectorAll<HTMLElement>(focusable)].filter(
    (element) =>
      element.tabIndex >= 0 &&
      !own.contains(element) &&
      own.compareDocumentPosition(element) & wanted &&
      element.checkVisibility(),
  )
  return key === 'End' ? others[0] : others.at(-1)
}

function isBusyElsewhere(target: HTMLElement): boolean {
  return target.isContentEditable || target.closest('input, textarea, select, [role="dialog"], [role="menu"]') !== null
}

function firstOnScreen(items: HTMLElement[]): number {
  return Math.max(
    0,
    items.findIndex((item) => item.getBoundingClientRect().bottom > window.innerHeight / 4),
  )
}
