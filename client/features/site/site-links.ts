import { isPublicPath } from '#client/lib/public-paths.ts'
import { rememberWantedPath } from '#client/lib/wanted-path.ts'

/** The landing page on an address of the app: sign-in leads back to it. */
export function rememberUnknownPath(): void {
  const { pathname, search } = window.location
  if (!isPublicPath(pathname)) rememberWantedPath(pathname + search)
}

/** A signed-in dealer who asked for the public view keeps it from page to page. */
export function keepPublicView(): void {
  if (!new URLSearchParams(window.location.search).has('public')) return
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[href^="/"]')) {
    const address = new URL(link.href)
    if (!isPublicPath(address.pathname)) continue
    address.searchParams.set('public', '')
    link.href = address.pathname + address.search
  }
}
