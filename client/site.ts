import { isPublicPath } from './lib/public-paths.ts'
import { registerServiceWorker } from './lib/service-worker.ts'
import { rememberWantedPath } from './lib/wanted-path.ts'
import './styles/app.css'
import './styles/site.css'

/** The landing page on an address of the app: sign-in leads back to it. */
function rememberUnknownPath(): void {
  const { pathname, search } = window.location
  if (!isPublicPath(pathname)) rememberWantedPath(pathname + search)
}

/** A signed-in dealer who asked for the public view keeps it from page to page. */
function keepPublicView(): void {
  if (!new URLSearchParams(window.location.search).has('public')) return
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[href^="/"]')) {
    const address = new URL(link.href)
    if (!isPublicPath(address.pathname)) continue
    address.searchParams.set('public', '')
    link.href = address.pathname + address.search
  }
}

/** React is fetched only for pages that have something to bring to life. */
async function reviveIslands(): Promise<void> {
  const elements = document.querySelectorAll<HTMLElement>('[data-island]')
  if (elements.length === 0) return
  const { revive } = await import('./features/site/revive.tsx')
  await Promise.all([...elements].map(revive))
}

rememberUnknownPath()
keepPublicView()
// A notice leads into the app, which is another document.
registerServiceWorker((path) => window.location.assign(path))
void reviveIslands()
