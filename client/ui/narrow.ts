import { useSyncExternalStore } from 'react'

const query = '(width < 48rem)'

function subscribe(changed: () => void): () => void {
  const media = window.matchMedia(query)
  media.addEventListener('change', changed)
  return () => media.removeEventListener('change', changed)
}

/** Whether the page is as narrow as a phone, where `max-md:` holds. For what is done otherwise there, not only laid out. */
export const isNarrow = (): boolean => window.matchMedia(query).matches

export const useNarrow = (): boolean => useSyncExternalStore(subscribe, isNarrow)
