import { useEffect } from 'react'
import { defineSlice } from '../storage/store-slice.ts'

export type NavCountName = 'messages' | 'notifications' | 'deals' | 'auctions'

const counts = defineSlice<Record<NavCountName, number>>('nav-counts', () => ({
  messages: 0,
  notifications: 0,
  deals: 0,
  // Number of running auctions. It is counted only on phones.
  auctions: 0,
}))

/** Call it from a component that is always mounted, because unmounting resets the count. */
export function usePublishNavCount(name: NavCountName, value: number): void {
  useEffect(() => {
    counts.set((held) => void (held[name] = value))
    return () => counts.set((held) => void (held[name] = 0))
  }, [name, value])
}

export const dealsCounted = 'waiting for you'

export const useNavCounts = (): Readonly<Record<NavCountName, number>> => counts.use((held) => held)
