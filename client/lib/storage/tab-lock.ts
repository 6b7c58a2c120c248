/** Runs `work` in one tab at a time. Without lock support every tab runs it, so it must be safe to run twice. */
export async function withLock(name: string, work: () => Promise<void>): Promise<void> {
  if (!('locks' in navigator)) return work()
  await navigator.locks.request(`lanewire-${name}`, work)
}

/** Takes a lock and returns its release function; undefined if another tab holds it. Succeeds in browsers without lock support. */
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
