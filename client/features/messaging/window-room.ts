import { useSyncExternalStore } from 'react'
import { openChatWindows } from '#shared/limits.ts'

/** From here on the open list has a column of its own, and windows lie beside the feed's lower edge only. */
const wide = '(min-width: 1600px)'

function subscribe(listener: () => void) {
  const query = window.matchMedia(wide)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/**
 * How many windows are unfolded at once. On a narrower screen three of them would cover the feed: there it is one beside
 * the open list, two beside the button, and older ones keep their headers.
 */
export function useWindowRoom(isListOpen: boolean): number {
  const isWide = useSyncExternalStore(subscribe, () => window.matchMedia(wide).matches)
  if (isWide) return openChatWindows
  return isListOpen ? 1 : 2
}
