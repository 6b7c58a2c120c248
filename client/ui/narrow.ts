import { useSyncExternalStore } from 'react'

/** A question about the page's width, asked again whenever its answer changes. */
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

/** Whether the page is as narrow as a phone, where `max-md:` holds. For what is done otherwise there, not only laid out. */
export const isNarrow = narrow.is
export const useNarrow = narrow.use

/** Whether a list and what is chosen from it fit beside each other, where `xl:` holds. */
export const useWide = wide.use
