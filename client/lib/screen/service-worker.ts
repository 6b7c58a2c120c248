/**
 * Registers the service worker, except in development, where a reload must load the edited files.
 * @param follow opens the path of a notification that was clicked while this page was open
 */
export function registerServiceWorker(follow: (path: string) => void): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  navigator.serviceWorker.addEventListener('message', ({ data }: MessageEvent<{ pressed?: string } | null>) => {
    if (data?.pressed !== undefined) follow(data.pressed)
  })
  window.addEventListener('load', () => {
    // A private window or browser policy may block the service worker. The app works without it.
    navigator.serviceWorker.register('/sw.js').catch(() => undefined)
  })
}
