import { show } from '#tests/support/screen.tsx'
import { screen } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import t from 'tap'
import { DemoContext } from '#client/features/site/demo-network.ts'
import { LandingPage } from '#client/pages/site/landing.tsx'
import { renderPage, sitePages } from '#client/prerender.tsx'
import { siteFolder, siteVariants, type SiteVariant } from '#shared/visitor-pages.ts'
import { says } from '#tests/support/controls.ts'
import { fakeNetwork } from '#tests/support/network.ts'

const template = '<html lang="en"><head><title>Lanewire</title></head><body><!--page--></body></html>'

const pagesOf = (variant: SiteVariant): Map<string, string> =>
  new Map(
    sitePages(variant.billing).map((page) => [
      page.path,
      renderPage(template, page, variant)
        .replaceAll(/<[^>]*>/g, ' ')
        .replaceAll(/\s+/g, ' '),
    ]),
  )

const invented =
  /25,000\+|Dealers who keep it open|I bought eleven trucks|Open positions|Product Designer|\d% uptime|average to close/

t.test('shows no invented dealers, quotes or jobs on a real network', async (t) => {
  for (const billing of [true, false])
    for (const [path, words] of pagesOf({ billing, demo: false })) t.notMatch(words, invented, path)
})

t.test('shows sample quotes, jobs and size on a demo network', async (t) => {
  const pages = pagesOf({ billing: true, demo: true })
  t.match(pages.get('/'), /25,000\+ dealers: independent.*Dealers who keep it open.*I bought eleven trucks/)
  t.match(pages.get('/about'), /The network has 25,000\+ dealers/)
  t.match(pages.get('/careers'), /Open positions.*Product Designer/)
  t.match(pages.get('/status'), /99\.98% uptime/)
})

t.test('shows no invented activity on a real network', async (t) => {
  fakeNetwork(t).use(
    http.get('*/api/activity-ticker', () => HttpResponse.json([])),
    http.get('*/api/subscription-plans', () => HttpResponse.json([])),
  )
  const strip = (demo: boolean) =>
    show(
      t,
      <DemoContext value={demo}>
        <LandingPage />
      </DemoContext>,
    )
  const { unmount } = strip(false)
  await says('No public activity yet')
  t.equal(screen.queryByText('2021 Honda CR-V'), null)
  unmount()
  strip(true)
  t.ok((await screen.findAllByText('2021 Honda CR-V')).length > 0, 'a demo shows samples')
})

t.test('leads with the live demo on a demo network, and offers none on a real one', async (t) => {
  for (const billing of [true, false]) {
    t.match(pagesOf({ billing, demo: true }).get('/'), /Open the live demo\s+Get Started\s+Watch Demo/)
    for (const [path, words] of pagesOf({ billing, demo: false })) t.notMatch(words, /live demo/i, path)
  }
})

t.test('accepts general applications on a real network', async (t) => {
  t.match(pagesOf({ billing: true, demo: false }).get('/careers'), /Send General Application/)
})

t.test('promises on landing and features pages what every account gets and names other plans', async (t) => {
  const paid = pagesOf({ billing: true, demo: false })
  for (const path of ['/', '/features']) t.notMatch(paid.get(path), /market position|under comparable/i, path)
  t.match(paid.get('/features'), /the price is compared with theirs\. The comparison comes with the Premium Plan\./)
  t.match(paid.get('/features'), /retyping\. It comes with the Premium Plan\./)
  t.match(paid.get('/features'), /from your own records\. They come with the Premium Plan\./)
  t.match(paid.get('/'), /Bill of Sale and analytics .* Both come with the Premium Plan\./)
  t.notMatch(pagesOf({ billing: false, demo: false }).get('/features'), /Premium/, 'without payments')
})

t.test('has a folder for each variant of the public pages', async (t) => {
  t.equal(siteVariants.length, 4)
  t.equal(new Set(siteVariants.map(siteFolder)).size, 4)
})
