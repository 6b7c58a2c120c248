import { useSyncExternalStore } from 'react'

export function widthOf(query: string) {
  const is = (): boolean => window.matchMedia(query).matches
  const subscribe = (changed: () => void): (() => void) => {
    const media = window.matchMedia(query)
    media.addEventListener('change', changed)
    return () => media.removeEventListener('change', changed)
  }
  return { is, use: (): boolean => useSyncExternalStore(subscribe, is) }
}

const narrow = widthOf('(width < 48rem)')
const wide = widthOf('(width >= 80rem)')

/** True below the width of the `max-md:` classes. Use it for behavior that differs on phones. */
export const isNarrow = narrow.is
export const useNarrow = narrow.use

/** True if the screen is wide enough for a list and its details side by side (`xl:`). */
export const useWide = wide.use
