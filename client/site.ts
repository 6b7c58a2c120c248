import { isPublicPath } from './lib/session/public-paths.ts'
import { registerServiceWorker } from './lib/screen/service-worker.ts'
import { rememberWantedPath } from './lib/session/path-after-sign-in.ts'
import './styles/app.css'
import './styles/site.css'

/** Remembers the path if the landing page was served for a path of the app, so that sign-in returns to it. */
function rememberUnknownPath(): void {
  const { pathname, search } = window.location
  if (!isPublicPath(pathname)) rememberWantedPath(pathname + search)
}

/** Sends a visitor to the sign-in page if another app has shared content. The content is kept until they have signed in. */
function signInForShare(): void {
  const { pathname, search } = window.location
  if (pathname !== '/' || !new URLSearchParams(search).has('share')) return
  rememberWantedPath(pathname + search)
  window.location.replace('/login')
}

/** Keeps `?public` on links, so that a signed-in dealer can continue to view the public site. */
function keepPublicView(): void {
  if (!new URLSearchParams(window.location.search).has('public')) return
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[href^="/"]')) {
    const address = new URL(link.href)
    if (!isPublicPath(address.pathname)) continue
    address.searchParams.set('public', '')
    link.href = address.pathname + address.search
  }
}

/** Loads React only on pages with islands. */
async function loadIslands(): Promise<void> {
  const elements = document.querySelectorAll<HTMLElement>('[data-island]')
  if (elements.length === 0) return
  const { hydrateIslands } = await import('./features/site/hydrate-islands.tsx')
  await Promise.all([...elements].map(hydrateIslands))
}

rememberUnknownPath()
signInForShare()
keepPublicView()
// Notifications lead to the app, which is a separate document from the public site, so load the page.
registerServiceWorker((path) => window.location.assign(path))
void loadIslands()
