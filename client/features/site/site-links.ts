import { rememberWantedPath } from '#client/lib/wanted-path.ts'

const publicPath =
  /^\/(about|pricing|contact|features|security|help|privacy|blog|careers|status|mobile|api-docs)?(\/|$)/

/** The landing page on an address of the app: sign-in leads back to it (READING.md "Route gating"). */
export function rememberUnknownPath(): void {
  const { pathname, search } = window.location
  if (!publicPath.test(pathname)) rememberWantedPath(pathname + search)
}

/** A signed-in dealer who asked for the public view keeps it from page to page. */
export function keepPublicView(): void {
  if (!new URLSearchParams(window.location.search).has('public')) return
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[href^="/"]')) {
    const address = new URL(link.href)
    if (!publicPath.test(address.pathname)) continue
    address.searchParams.set('public', '')
    link.href = address.pathname + address.search
  }
}
