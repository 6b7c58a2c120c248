import { isPublicPath } from './lib/session/public-paths.ts'
import { registerServiceWorker } from './lib/screen/service-worker.ts'
import { rememberWantedPath } from './lib/session/path-after-sign-in.ts'
import './styles/app.css'
import './styles/site.css'

/** The landing page at an app's address: sign-in returns to that address. */
function rememberUnknownPath(): void {
  const { pathname, search } = window.location
  if (!isPublicPath(pathname)) rememberWantedPath(pathname + search)
}

/** Sends a visitor to sign in. The content that another app shared is kept until then. */
function signInForShare(): void {
  const { pathname, search } = window.location
  if (pathname !== '/' || !new URLSearchParams(search).has('share')) return
  rememberWantedPath(pathname + search)
  window.location.replace('/login')
}

/** Keeps `?public` on links, for a signed-in dealer who is viewing the public site. */
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
// Notices lead into the app, which is a separate document.
registerServiceWorker((path) => window.location.assign(path))
void loadIslands()
