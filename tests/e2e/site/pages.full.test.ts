import t, { type Test } from 'tap'
import { showTheme, violationsInBothThemes } from '#tests/support/axe.ts'
import { openBrowser, takeGzipOnly, weighScripts } from '#tests/support/browser.ts'
import { startProduct } from '#tests/support/product.ts'
import { type PublicPath, publicPaths, visit, watchPaint } from '#tests/support/site.ts'
import { until } from '#tests/support/wait.ts'

const url = await startProduct(t)
const browser = await openBrowser(t)

t.test('gives every public page its own title, description, address and heading in the HTML itself', async (t) => {
  const titles = new Set<string>()
  for (const path of publicPaths) {
    const html = await (await fetch(url + path)).text()
    titles.add(/<title>([^<]+)<\/title>/.exec(html)?.[1] ?? '')
    t.match(html, /<meta name="description" content="[^"]{40,}"/, path)
    t.match(html, new RegExp(`<link rel="canonical" href="[^"%]*${path === '/' ? '/' : path}"`), path)
    t.match(html, /<meta property="og:image" content="http[^"]+\/site\/og.png"/, path)
    t.equal(html.match(/<h1[ >]/g)?.length, 1, `${path} has one h1`)
  }
  t.equal(titles.size, publicPaths.length)
  const sitemap = await (await fetch(`${url}/sitemap.xml`)).text()
  for (const path of publicPaths) t.match(sitemap, `${path}</loc>`)
  t.match(await (await fetch(`${url}/robots.txt`)).text(), /Sitemap: http/)
})

t.test(
  'caches hashed files permanently, revalidates the rest, and answers 404 instead of a page for a missing file',
  async (t) => {
    const [, style = ''] = /href="(\/assets\/[^"]+\.css)"/.exec(await (await fetch(`${url}/login`)).text()) ?? []
    const kept = await fetch(url + style, { headers: { 'accept-encoding': 'br' } })
    t.equal(kept.status, 200)
    t.equal(kept.headers.get('cache-control'), 'public, max-age=31536000, immutable')
    t.equal(kept.headers.get('content-encoding'), 'br')
    t.equal(kept.headers.get('vary'), 'Accept-Encoding')
    t.equal((await fetch(`${url}/sw.js`)).headers.get('cache-control'), 'no-cache')
    for (const path of ['/assets/none.js', '/assets/', '/assets', '/health/none']) {
      const missing = await fetch(url + path)
      t.equal(missing.status, 404, path)
      t.match(missing.headers.get('content-type'), 'application/json', path)
    }
  },
)

const { page, errors } = await visit(t, browser, url)
await takeGzipOnly(page)
await page.addInitScript(watchPaint)

const desktop = 1440
const phone = 390
const narrowest = 320
const resize = (width: number) => page.setViewportSize({ width, height: 900 })

async function open(path: PublicPath, waitUntil: 'load' | 'networkidle' = 'load'): Promise<void> {
  await resize(desktop)
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'no-preference' })
  await page.goto(path, { waitUntil })
}

const documented: Partial<Record<PublicPath, { counts: Record<string, number>; toContact?: string }>> = {
  '/': { counts: { '#features article': 5, '#testimonials figure': 3 } },
  '/blog': { counts: { article: 6 } },
  '/careers': { counts: { article: 4 }, toContact: 'Send General Application' },
  '/status': { counts: { 'main li': 5, 'main article': 2 } },
  '/api-docs': { counts: { 'main article': 5 }, toContact: 'Request API Access' },
  '/help': { counts: { 'main li': 18 } },
  '/privacy': { counts: { h1: 1 }, toContact: 'Contact Us About Privacy' },
  '/contact': { counts: { 'form select option': 6 } },
}

const plans = (await (await fetch(`${url}/api/subscription-plans`)).json()) as { name: string; price: number }[]
const [newest] = (await (await fetch(`${url}/api/activity-ticker`)).json()) as { vehicle: string }[]

const showsPlans = {
  'shows the plans of the server, with Enterprise as Custom and Premium as Most Popular': async (t: Test) => {
    const basic = plans.find(({ name }) => name === 'Basic Plan')
    const cards = page.locator('[data-island="plan-cards"] article')
    await cards.filter({ hasText: 'Basic' }).first().waitFor()
    t.match(await cards.filter({ hasText: 'Basic' }).first().textContent(), `$${basic?.price}`)
    t.match(await cards.filter({ hasText: 'Basic' }).first().textContent(), 'Up to 50 dealer connections')
    const premium = await cards.filter({ hasText: 'Most Popular' }).textContent()
    t.match(premium, 'Premium')
    t.match(premium, 'Unlimited dealer connections')
    const single = plans.find(({ name }) => name === 'Enterprise Plan')
    await cards.filter({ hasText: `$${single?.price} per month for one dealer` }).waitFor()
    t.match(await cards.filter({ hasText: 'Enterprise' }).textContent(), 'Custom')
    await until('three plans', async () => (await cards.count()) === 3)
  },
}

const particulars: Partial<Record<PublicPath, Record<string, (t: Test) => Promise<void>>>> = {
  '/': {
    'has the documented buttons and footer links': async (t) => {
      for (const label of ['Login', 'Get Started'])
        t.ok(await page.getByRole('link', { name: label }).first().isVisible())
      t.ok(await page.getByRole('button', { name: 'Watch Demo' }).isVisible())
      t.match(await page.locator('main').textContent(), '25,000+')
      const footer = await page
        .locator('footer a')
        .evaluateAll((links) => links.map((link) => link.getAttribute('href')))
      t.same(footer.slice(1), [
        '/features',
        '/pricing',
        '/security',
        '/mobile',
        '/help',
        '/contact',
        '/api-docs',
        '/status',
        '/about',
        '/blog',
        '/careers',
        '/privacy',
      ])
    },
    'shows real network activity below the headline': async (t) => {
      const strip = page.getByRole('region', { name: 'On the wire now' })
      await strip
        .getByText(newest?.vehicle ?? '', { exact: true })
        .first()
        .waitFor()
      t.equal(await page.getByRole('region', { name: 'A sample of network activity' }).count(), 0)
    },
    ...showsPlans,
  },
  '/about': {
    'switches from light to dark with the system while open': async (t) => {
      const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
      const light = await background()
      await showTheme(page, 'dark')
      t.not(await background(), light)
    },
  },
  '/pricing': showsPlans,
  '/contact': {
    'shows the support hours': async (t) => {
      t.match(await page.locator('main').textContent(), /Mon-Fri8 to 8 EST.*Sat9 to 6 EST.*Sundayclosed/)
    },
  },
  '/mobile': {
    'announces the apps and offers the mobile site': async (t) => {
      t.ok(await page.getByRole('button', { name: 'iOS: Coming Soon' }).isDisabled())
      t.ok(await page.getByRole('button', { name: 'Android: Coming Soon' }).isDisabled())
      t.equal(await page.getByRole('link', { name: 'Try on Mobile' }).getAttribute('href'), '/login')
    },
  },
}

for (const path of publicPaths)
  t.test(`keeps ${path} small, complete, accessible and without overflow at every width`, async (t) => {
    errors.length = 0
    await open(path, 'networkidle')

    await t.test('loads at most 86 KiB of script in at most eleven files and does not shift the layout', async (t) => {
      // The browser reports the largest paint slightly later.
      await page.waitForFunction('seen.largest')
      const { kib, files } = await weighScripts(page)
      const count = Object.keys(files).length
      t.ok(kib > 0 && kib <= 86 && count <= 11, `${path}: ${kib.toFixed(1)} KiB of script in ${count} files`, { files })
      const shift = Number(await page.evaluate('seen.shift'))
      t.ok(shift <= 0.05, `${path} shifts the layout by ${shift.toFixed(3)}`)
    })

    const { counts, toContact } = documented[path] ?? {}
    if (counts)
      await t.test('has the documented counts and links', async (t) => {
        // Islands render after the page has loaded, so wait for them.
        for (const [selector, number] of Object.entries(counts)) {
          await until(`${number} ${selector} on ${path}`, async () => (await page.locator(selector).count()) === number)
          t.pass(`${path} ${selector}`)
        }
        if (path !== '/') t.equal(await page.getByRole('link', { name: 'Back to Home' }).getAttribute('href'), '/')
        if (toContact !== undefined)
          t.match(await page.getByRole('link', { name: toContact }).getAttribute('href'), '/contact', path)
      })

    for (const [name, look] of Object.entries(particulars[path] ?? {})) await t.test(name, look)

    for (const width of [desktop, phone])
      await t.test(`is accessible at ${width} px in both themes, without overflow`, async (t) => {
        await resize(width)
        t.same(await violationsInBothThemes(page), [], path)
        for (const size of width === phone ? [width, narrowest] : [width]) {
          await resize(size)
          const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
          t.ok(overflow <= 0, `${path} at ${size} px`)
        }
      })
    t.same(errors, [], 'no console error')
  })

t.test(
  'plays the scenes beside the headline, pauses them on request, and does not move if reduced motion is on',
  async (t) => {
    // Keep the plans loading, so that the skeleton's animation runs.
    await page.route('**/api/subscription-plans', () => undefined)
    await open('/')
    await page.getByText('Loading plans').first().waitFor({ state: 'attached' })
    const playing = () =>
      page.evaluate(() => document.getAnimations().filter(({ playState }) => playState === 'running').length)
    t.ok((await playing()) > 0)
    await page.getByRole('checkbox', { name: 'Pause the animation' }).check()
    t.equal(await playing(), 0, 'the activity strip stops too')
    const shownAt = (ms: number) =>
      page.evaluate((at) => {
        for (const animation of document.getAnimations()) animation.currentTime = at
        const scenes = [...document.querySelectorAll('[inert] dd:first-of-type .stage-scene')]
        return scenes.filter((scene) => getComputedStyle(scene).opacity === '1').map(({ textContent }) => textContent)
      }, ms)
    t.same(await shownAt(1_000), ['$24,500'])
    t.same(await shownAt(5_000), ['$25,000'])
    t.same(await shownAt(9_000), ['$25,500'])
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.reload()
    t.equal(await playing(), 0)
    t.notOk(await page.getByRole('checkbox', { name: 'Pause the animation' }).isVisible())
  },
)

const visitor = await (await browser.newContext({ baseURL: url })).newPage()

t.test('sends and acknowledges a contact message, clears the form, and says what is missing', async (t) => {
  await visitor.goto('/careers')
  await visitor.getByRole('link', { name: 'Apply: Product Designer' }).click()
  await visitor.waitForFunction(() => document.querySelector('textarea')?.value.startsWith('About: Product Designer'))
  t.match(await visitor.locator('form').textContent(), 'Careers.')
  await visitor.getByLabel('Name').fill('Ada Park')
  await visitor.getByLabel('Email').fill('ada@design.example')
  await visitor.getByLabel('Dealership type').selectOption('other')
  await visitor.getByLabel('Message').fill('I would like to show you my work.')
  const sent = visitor.waitForRequest((request) => request.url().endsWith('/api/contact'))
  await visitor.getByRole('button', { name: 'Send Message' }).click()
  t.match((await sent).postDataJSON(), {
    name: 'Ada Park',
    email: 'ada@design.example',
    dealershipType: 'other',
    topic: 'careers',
    message: 'I would like to show you my work.',
  })
  await visitor.getByText('Message Sent', { exact: true }).first().waitFor()
  await visitor.getByText("We'll get back to you within 24 hours").first().waitFor()
  t.equal(await visitor.getByLabel('Name').inputValue(), '')
  await visitor.getByLabel('Email').fill('nowhere')
  await visitor.getByRole('button', { name: 'Send Message' }).click()
  for (const text of ['Please enter your name', 'Please enter a valid email address', 'Please enter a message'])
    await visitor.getByText(text).waitFor()
  t.equal(await visitor.evaluate(() => document.activeElement?.getAttribute('autocomplete')), 'name')
  await visitor.getByLabel('Name').fill('Ada Park')
  await visitor.getByLabel('Email').fill('ada@design.example')
  await visitor.getByLabel('Message').fill('One more thing.')
  await visitor.getByRole('button', { name: 'Send Message' }).click()
  await visitor.getByText('Message not sent', { exact: true }).first().waitFor()
  t.equal(await visitor.getByLabel('Message').inputValue(), 'One more thing.', 'the text is kept')
})

t.test('asks for a confirmation after a newsletter sign-up and says so', async (t) => {
  await visitor.goto('/blog', { waitUntil: 'networkidle' })
  await visitor.getByRole('button', { name: 'Subscribe' }).click()
  await visitor.getByText('Please enter a valid email address').waitFor()
  await visitor.getByLabel('Email').fill('ada@design.example')
  await visitor.getByRole('button', { name: 'Subscribe' }).click()
  await visitor.getByText('Please check your email and open the link to confirm.').waitFor()
  await visitor.goto('/blog?list=newsletter-confirmed')
  await visitor.getByText('You are subscribed to the newsletter.').waitFor()
  t.equal(await visitor.getByRole('heading', { level: 1 }).textContent(), 'Blog')
})

t.test('filters help by title, finds words in the articles, and says when there are no results', async (t) => {
  await visitor.goto('/help', { waitUntil: 'networkidle' })
  const box = visitor.getByRole('searchbox', { name: 'Search help articles' })
  await box.fill('VIN DEC')
  await visitor.getByText('1 title').first().waitFor()
  t.match(await visitor.locator('main li').first().textContent(), 'What the VIN decoder fills in')
  await box.fill('submarine')
  await visitor.getByText('No articles found').waitFor()
  await box.fill('windshield')
  await visitor.getByRole('heading', { name: 'In the text' }).waitFor()
  await visitor.getByRole('link', { name: /What the VIN decoder fills in/ }).click()
  await visitor.waitForURL(/\/help\/vin-decoding/)
  t.match(await visitor.locator('main').textContent(), 'windshield')
})

t.test('shows the results of the probes on the status page', async (t) => {
  await visitor.goto('/status')
  await visitor.getByText('Operational', { exact: true }).first().waitFor()
  for (const name of ['Dealer Platform', 'Messaging System', 'AI Services', 'Authentication', 'Database'])
    t.ok(await visitor.getByRole('heading', { name, exact: true }).isVisible(), name)
  t.match(await visitor.locator('main').textContent(), /\d+\.\d\d% uptime/)
})

t.test('opens a captioned tour from Watch Demo that works by keyboard', async (t) => {
  await visitor.emulateMedia({ reducedMotion: 'reduce' })
  await visitor.goto('/', { waitUntil: 'networkidle' })
  const button = visitor.getByRole('button', { name: 'Watch Demo' })
  await button.focus()
  await visitor.keyboard.press('Enter')
  const dialog = visitor.getByRole('dialog', { name: 'Lanewire in five screens' })
  await dialog.waitFor()
  t.match(await dialog.textContent(), '1 of 5')
  await visitor.waitForFunction(() => (document.querySelector('dialog img') as HTMLImageElement | null)?.naturalWidth)
  const captions = new Set<string>()
  for (let n = 1; n <= 5; n += 1) {
    await dialog.getByText(`${n} of 5`).waitFor()
    captions.add((await dialog.locator('h3').textContent()) ?? '')
    await visitor.keyboard.press('ArrowRight')
  }
  t.equal(captions.size, 5)
  await visitor.keyboard.press('ArrowLeft')
  await dialog.getByText('4 of 5').waitFor()
  await visitor.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  t.ok(await button.evaluate((element) => element === document.activeElement), 'the focus returns to the button')
  await visitor.setViewportSize({ width: 390, height: 844 })
  await button.click()
  await visitor.waitForFunction(() => (document.querySelector('dialog img') as HTMLImageElement | null)?.naturalWidth)
  const picture = await dialog.getByRole('img').evaluate((image: HTMLImageElement) => image.currentSrc)
  t.match(picture, '/site/phone-feed-light.webp', 'a phone gets the picture of the phone layout')
})
