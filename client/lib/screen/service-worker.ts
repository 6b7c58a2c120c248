/**
 * Registers the service worker (offline page, notices). Not in development, where reloads must load the saved files.
 * @param follow opens the path of a notice that was clicked while this page was open
 */
export function registerServiceWorker(follow: (path: string) => void): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  navigator.serviceWorker.addEventListener('message', ({ data }: MessageEvent<{ pressed?: string } | null>) => {
    if (data?.pressed !== undefined) follow(data.pressed)
  })
  window.addEventListener('load', () => {
    // A private window or a policy may refuse the service worker. The app works without it.
    navigator.serviceWorker.register('/sw.js').catch(() => undefined)
  })
}
