/** Runs `work` in one tab at a time. Without support for locks, every tab runs it, so it must be safe to run more than once. */
export async function withLock(name: string, work: () => Promise<void>): Promise<void> {
  if (!('locks' in navigator)) return work()
  await navigator.locks.request(`lanewire-${name}`, work)
}

/**
 * Acquires a lock and returns a function that releases it, or undefined if another tab holds the lock.
 * In a browser without support for locks, always succeeds.
 */
export async function takeLock(name: string): Promise<(() => void) | undefined> {
  if (!('locks' in navigator)) return () => {}
  return new Promise((resolve, reject) => {
    const hold = (lock: Lock | null) => {
      if (lock !== null) return new Promise<void>(resolve)
      resolve(undefined)
      return undefined
    }
    navigator.locks.request(`lanewire-${name}`, { ifAvailable: true }, hold).catch(reject)
  })
}
