import { type ReactElement, StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import type { SiteVariant } from '#shared/visitor-pages.ts'
import { BillingContext } from './lib/session/billing-enabled.ts'
import { DemoContext } from './features/site/demo-network.ts'
import { IslandContext } from './features/site/island.tsx'
import { type SitePage, sitePages } from './pages/site/pages.tsx'

/** Placeholder for the site's origin, which only the running server knows. */
const origin = '%ORIGIN%'

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeHtml = (text: string) => text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? character)

/** Renders islands separately from the page, because each island is a React root of its own in the browser. */
function renderBody(page: ReactElement, { billing, demo }: SiteVariant): string {
  const found: { name: string; element: ReactElement }[] = []
  const collect = (name: string, element: ReactElement) => {
    found.push({ name, element })
    return `<!--island:${found.length - 1}-->`
  }
  const frame = renderToString(
    <BillingContext value={billing}>
      <DemoContext value={demo}>
        <IslandContext value={collect}>{page}</IslandContext>
      </DemoContext>
    </BillingContext>,
  )
  return frame.replaceAll(/<!--island:(\d+)-->/g, (marker, place: string) => {
    const island = found[Number(place)]
    if (!island) return marker
    const root = <BillingContext value={billing}>{island.element}</BillingContext>
    return renderToString(<StrictMode>{root}</StrictMode>, { identifierPrefix: island.name })
  })
}

function renderHead({ path, title, description, hidden }: SitePage): string {
  const text = { title: escapeHtml(`${title} · Lanewire`), description: escapeHtml(description) }
  const shared = `<title>${text.title}</title><meta name="description" content="${text.description}" />`
  if (hidden) return `${shared}<meta name="robots" content="noindex" />`
  const address = `${origin}${path}`
  const kind = path.startsWith('/blog/') || path.startsWith('/help/') ? 'article' : 'website'
  const properties = {
    'og:site_name': 'Lanewire',
    'og:type': kind,
    'og:title': text.title,
    'og:description': text.description,
    'og:url': address,
    'og:image': `${origin}/site/og.png`,
  }
  const tags = Object.entries(properties).map(([name, content]) => `<meta property="${name}" content="${content}" />`)
  return `${shared}<link rel="canonical" href="${address}" />${tags.join('')}<meta name="twitter:card" content="summary_large_image" />`
}

/** Fills the built template with a page. Islands read from the `data-billing` attribute whether billing is on. */
export function renderPage(template: string, page: SitePage, variant: SiteVariant): string {
  return template
    .replace('<html ', () => (variant.billing ? '<html ' : '<html data-billing="off" '))
    .replace('<title>Lanewire</title>', () => renderHead(page))
    .replace('<!--page-->', () => renderBody(page.page, variant))
}

export { sitePages }
