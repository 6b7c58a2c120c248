/**
 * Makes the site installable, gives it an offline page and shows its notices. Not while developing: reloads must show what
 * was saved.
 * @param follow goes where a notice leads that was pressed while this page was open
 */
export function registerServiceWorker(follow: (path: string) => void): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  navigator.serviceWorker.addEventListener('message', ({ data }: MessageEvent<{ pressed?: string } | null>) => {
    if (data?.pressed !== undefined) follow(data.pressed)
  })
  window.addEventListener('load', () => {
    // A browser that refuses (private mode, a policy) works as well without.
    navigator.serviceWorker.register('/sw.js').catch(() => undefined)
  })
}
