import { useEffect, useSyncExternalStore } from 'react'

export type NavCountName = 'messages' | 'notifications'

let counts: Readonly<Record<NavCountName, number>> = { messages: 0, notifications: 0 }
const listeners = new Set<() => void>()

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

function setNavCount(name: NavCountName, value: number) {
  if (counts[name] === value) return
  counts = { ...counts, [name]: value }
  for (const listener of listeners) listener()
}

/** The feature that knows an unread total calls this from something that is always mounted. */
export function usePublishNavCount(name: NavCountName, value: number): void {
  useEffect(() => {
    setNavCount(name, value)
    return () => setNavCount(name, 0)
  }, [name, value])
}

/** What the top bar and the bottom navigation show. */
export function useNavCounts(): Readonly<Record<NavCountName, number>> {
  return useSyncExternalStore(subscribe, () => counts)
}
