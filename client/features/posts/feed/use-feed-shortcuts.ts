import { useEffect } from 'react'
import { isPressed, isTyping, keys } from '#client/lib/keys/shortcuts.ts'
import { isRendered } from '#client/lib/http/older-browsers.ts'

const feed = '[role="feed"]'
const focusable = 'a[href], button:not(:disabled), input:not(:disabled), textarea:not(:disabled)'

/**
 * Keyboard navigation of the ARIA feed pattern. j and k work anywhere, Page Up and Page Down only in the feed, and the arrow keys only on a
 * post.
 */
export function useFeedKeys(open: (postIndex: number) => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const { target } = event
      if (event.defaultPrevented || !(target instanceof HTMLElement)) return
      const beyond = controlOutsideFeed(target, event)
      const next = beyond ?? nextItem(target, event, open)
      if (!next) return
      event.preventDefault()
      next.focus()
      next.scrollIntoView({ block: beyond ? 'nearest' : 'start' })
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [open])
}

function stepOf(event: KeyboardEvent): number {
  if (isPressed(event, keys.nextPost)) return 1
  return isPressed(event, keys.previousPost) ? -1 : 0
}

function nextItem(
  target: HTMLElement,
  event: KeyboardEvent,
  open: (postIndex: number) => void,
): HTMLElement | undefined {
  const items = [...document.querySelectorAll<HTMLElement>('[data-feed-item]')]
  const onItem = items.indexOf(target)
  if (isPressed(event, keys.openPost) && onItem >= 0) open(onItem)
  const by = stepOf(event)
  if (by === 0 || isTyping(target)) return undefined
  const from = items.findIndex((item) => item.contains(target))
  const { key } = event
  if (key.startsWith('Arrow') ? onItem < 0 : key.startsWith('Page') && from < 0) return undefined
  return items[from < 0 ? firstOnScreen(items) : from + by]
}

/** Returns the control to focus for the keys that leave the feed: the first control after the feed, or the last one before it. */
function controlOutsideFeed(target: HTMLElement, event: KeyboardEvent): HTMLElement | undefined {
  const own = target.closest(feed)
  const isAfter = isPressed(event, keys.afterFeed)
  if (!own || isTyping(target) || !(isAfter || isPressed(event, keys.beforeFeed))) return undefined
  const wanted = isAfter ? Node.DOCUMENT_POSITION_FOLLOWING : Node.DOCUMENT_POSITION_PRECEDING
  const others = [...document.querySelectorAll<HTMLElement>(focusable)].filter(
    (element) =>
      element.tabIndex >= 0 &&
      !own.contains(element) &&
      own.compareDocumentPosition(element) & wanted &&
      isRendered(element),
  )
  return isAfter ? others[0] : others.at(-1)
}

function firstOnScreen(items: HTMLElement[]): number {
  return Math.max(
    0,
    items.findIndex((item) => item.getBoundingClientRect().bottom > window.innerHeight / 4),
  )
}
