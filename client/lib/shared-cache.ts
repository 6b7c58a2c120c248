/** Where `sw.js` keeps what other apps share, until it becomes a draft. */
export const sharedCacheName = 'lanewire-shared-1'

/** Deletes all shares on sign-out. */
export function forgetShares(): void {
  if ('caches' in window) caches.delete(sharedCacheName).catch(() => undefined)
}
