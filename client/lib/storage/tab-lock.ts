/** Runs `work` in one tab at a time. In browsers without locks, tabs may run it at the same time, so it must be safe to repeat. */
export async function withLock(name: string, work: () => Promise<void>): Promise<void> {
  if (!('locks' in navigator)) return work()
  await navigator.locks.request(`lanewire-${name}`, work)
}

/**
 * Takes a lock and returns a function that releases it. Returns undefined if another tab holds the lock.
 * Always succeeds in browsers without locks.
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
