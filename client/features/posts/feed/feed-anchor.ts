import { type RefObject, useEffect } from 'react'
import { lacksStyle } from '#client/lib/older-browsers.ts'

interface Anchor {
  item: Element
  /** Its distance from the top of the screen, and how far the page was scrolled then. */
  top: number
  scrollY: number
}

const topOf = (element: Element) => element.getBoundingClientRect().top

/** The first post of the list that is on the screen, at least in part. */
function findAnchor(list: Element | null): Anchor | undefined {
  const item = [...(list?.children ?? [])].find((one) => one.getBoundingClientRect().bottom > 0)
  return item && { item, top: topOf(item), scrollY: window.scrollY }
}

/**
 * Keeps what is being read where it is while something above it grows or shrinks, as a post that is edited or a banner that comes: for
 * browsers that do not (Safari has no scroll anchoring). At the top of the page nothing is held.
 */
export function useFeedAnchor(list: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (!lacksStyle('overflow-anchor', 'auto')) return undefined
    let anchor: Anchor | undefined
    const note = () => void (anchor = findAnchor(list.current))
    const hold = () => {
      const { scrollY } = window
      // Where the page was scrolled in the same moment, that was wanted.
      if (anchor?.item.isConnected && scrollY > 0 && scrollY === anchor.scrollY)
        window.scrollBy({ top: topOf(anchor.item) - anchor.top, behavior: 'instant' })
      note()
    }
    const observer = new ResizeObserver(hold)
    observer.observe(document.body)
    addEventListener('scroll', note, { passive: true })
    return () => {
      observer.disconnect()
      removeEventListener('scroll', note)
    }
  }, [list])
}
