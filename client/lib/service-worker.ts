/** Makes the site installable and gives it an offline page. Not while developing: reloads must show what was saved. */
export function registerServiceWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  window.addEventListener('load', () => {
    // A browser that refuses (private mode, a policy) works as well without.
    navigator.serviceWorker.register('/sw.js').catch(() => undefined)
  })
}
