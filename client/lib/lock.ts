/** Runs in one tab of this browser at a time. Without locks (an insecure page) each tab runs: what it does is safe to do twice. */
export async function withLock(name: string, work: () => Promise<void>): Promise<void> {
  if (!('locks' in navigator)) return work()
  await navigator.locks.request(`lanewire-${name}`, work)
}
