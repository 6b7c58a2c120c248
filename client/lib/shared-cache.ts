/** Name of the cache in which `sw.js` stores content shared from other apps until it becomes a draft. */
export const sharedCacheName = 'lanewire-shared-1'

/** Deletes all shared content. Call it on sign-out. */
export function forgetShares(): void {
  if ('caches' in window) caches.delete(sharedCacheName).catch(() => undefined)
}
