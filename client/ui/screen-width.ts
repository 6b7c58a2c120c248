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

/** True on screens so narrow that `max-md:` applies. Use it if phones behave differently. */
export const isNarrow = narrow.is
export const useNarrow = narrow.use

/** True on screens wide enough (`xl:`) for a list and its details side by side. */
export const useWide = wide.use
