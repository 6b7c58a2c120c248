import { useEffect } from 'react'
import { defineSlice } from './slice.ts'

export type NavCountName = 'messages' | 'notifications'

const counts = defineSlice<Record<NavCountName, number>>('nav-counts', () => ({ messages: 0, notifications: 0 }))

/** The feature that knows an unread total calls this from something that is always mounted. */
export function usePublishNavCount(name: NavCountName, value: number): void {
  useEffect(() => {
    counts.set((held) => void (held[name] = value))
    return () => counts.set((held) => void (held[name] = 0))
  }, [name, value])
}

/** What the top bar and the bottom navigation show. */
export const useNavCounts = (): Readonly<Record<NavCountName, number>> => counts.use((held) => held)
