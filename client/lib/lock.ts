/** Runs in one tab of this browser at a time. Without locks (an insecure page) each tab runs: what it does is safe to do twice. */
export async function withLock(name: string, work: () => Promise<void>): Promise<void> {
  if (!('locks' in navigator)) return work()
  await navigator.locks.request(`lanewire-${name}`, work)
}

/** Holds it until what is answered is called; undefined where another tab holds it. Without locks each tab does. */
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
