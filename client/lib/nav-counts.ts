import { useEffect } from 'react'
import { defineSlice } from './slice.ts'

export type NavCountName = 'messages' | 'notifications' | 'deals'

const counts = defineSlice<Record<NavCountName, number>>('nav-counts', () => ({
  messages: 0,
  notifications: 0,
  deals: 0,
}))

/** The feature that knows a number, of what is unread or waits for the dealer, calls this from something that is always mounted. */
export function usePublishNavCount(name: NavCountName, value: number): void {
  useEffect(() => {
    counts.set((held) => void (held[name] = value))
    return () => counts.set((held) => void (held[name] = 0))
  }, [name, value])
}

/** What the number of deals counts. */
export const dealsCounted = 'waiting for you'

/** What the top bar and the bottom navigation show. */
export const useNavCounts = (): Readonly<Record<NavCountName, number>> => counts.use((held) => held)
