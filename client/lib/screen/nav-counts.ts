import { useEffect } from 'react'
import { defineSlice } from '../storage/store-slice.ts'

export type NavCountName = 'messages' | 'notifications' | 'deals' | 'auctions'

const counts = defineSlice<Record<NavCountName, number>>('nav-counts', () => ({
  messages: 0,
  notifications: 0,
  deals: 0,
  // Number of running auctions, which is counted only on phones.
  auctions: 0,
}))

/** Publishes a number for the navigation. Call this in a component that stays mounted, because unmounting resets the number. */
export function usePublishNavCount(name: NavCountName, value: number): void {
  useEffect(() => {
    counts.set((held) => void (held[name] = value))
    return () => counts.set((held) => void (held[name] = 0))
  }, [name, value])
}

export const dealsCounted = 'waiting for you'

export const useNavCounts = (): Readonly<Record<NavCountName, number>> => counts.use((held) => held)
