import { useEffect } from 'react'

const step: Record<string, number> = { j: 1, k: -1, PageDown: 1, PageUp: -1, ArrowDown: 1, ArrowUp: -1 }

/**
 * j and k anywhere, Page Down, Page Up and the arrows on a post: the focus goes to the next or the previous post;
 * Enter opens it (feed pattern of the ARIA practices).
 */
export function useFeedKeys(open: (postIndex: number) => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !(event.target instanceof HTMLElement)) return
      const items = [...document.querySelectorAll<HTMLElement>('[data-feed-item]')]
      const onItem = items.indexOf(event.target)
      if (event.key === 'Enter' && onItem >= 0) return open(onItem)
      const by = step[event.key]
      if (by === undefined) return
      const letter = event.key.length === 1
      if (letter ? isBusyElsewhere(event.target) : onItem < 0) return
      const from = items.findIndex((item) => item.contains(event.target as HTMLElement))
      const next = items[from < 0 ? firstOnScreen(items) : from + by]
      if (!next) return
      event.preventDefault()
      next.focus()
      next.scrollIntoView({ block: 'start' })
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [open])
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
