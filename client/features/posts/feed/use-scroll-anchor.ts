import { type RefObject, useEffect } from 'react'
import { lacksStyle } from '#client/lib/http/older-browsers.ts'

interface Anchor {
  item: Element
  /** Distance of the post from the top of the window. `scrollY` and `height` of the page were measured at the same time. */
  top: number
  scrollY: number
  height: number
}

const topOf = (element: Element) => element.getBoundingClientRect().top
const pageHeight = () => document.body.getBoundingClientRect().height

/** Returns the first post that is at least partly on screen. */
function findAnchor(list: Element | null): Anchor | undefined {
  const item = [...(list?.children ?? [])].find((one) => one.getBoundingClientRect().bottom > 0)
  return item && { item, top: topOf(item), scrollY: window.scrollY, height: pageHeight() }
}

/** Keeps the reading position when content above it changes size. Only for browsers without scroll anchoring, such as Safari. */
export function useFeedAnchor(list: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (!lacksStyle('overflow-anchor', 'auto')) return undefined
    let anchor: Anchor | undefined
    const note = () => void (anchor = findAnchor(list.current))
    const onScroll = () => {
      const { scrollY } = window
      // The resize observer runs after this event. Until it has corrected a size change, do not record the shifted position.
      if (anchor !== undefined && anchor.height !== pageHeight())
        anchor = { ...anchor, top: anchor.top - (scrollY - anchor.scrollY), scrollY }
      else note()
    }
    const hold = () => {
      const { scrollY } = window
      // If the page was scrolled at the same time, keep the new scroll position.
      if (anchor?.item.isConnected && scrollY > 0 && scrollY === anchor.scrollY)
        window.scrollBy({ top: topOf(anchor.item) - anchor.top, behavior: 'instant' })
      note()
    }
    const observer = new ResizeObserver(hold)
    observer.observe(document.body)
    addEventListener('scroll', onScroll, { passive: true })
    return () => {
      observer.disconnect()
      removeEventListener('scroll', onScroll)
    }
  }, [list])
}
