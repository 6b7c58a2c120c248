/** The cache in which `sw.js` stores content that was shared from other apps, until it becomes a draft. */
export const sharedCacheName = 'lanewire-shared-1'

export function forgetShares(): void {
  if ('caches' in window) caches.delete(sharedCacheName).catch(() => undefined)
}
