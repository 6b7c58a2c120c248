/** `node scripts/tour.mjs http://localhost:5000`: the screenshots of Watch Demo, from a running demo, into client/public/site. */
import sharp from 'sharp'
import { findChromium } from './chromium.mjs'
import { Fault, run, say } from './console.mjs'
import { inRoot } from './root.mjs'

const size = { width: 1440, height: 810 }
const shownWidth = 1280
const quality = 72
const dealer = { email: 'dana@torresauto.example', password: 'lanewire-demo-2026' }

/** What is on the screen at each step, by the name of its image. @type {Record<string, (page: import('playwright-core').Page) => Promise<unknown>>} */
const steps = {
  feed: (page) => page.goto('/'),
  search: async (page) => {
    await page.goto('/')
    await page.getByRole('searchbox').first().fill('Tacoma')
    await page.keyboard.press('Enter')
  },
  post: async (page) => {
    await page.goto('/')
    await page.locator('main article h2, main article h3').first().click()
    await page.waitForURL(/\/post\//)
  },
  // Before the dock is opened: it stays open on every page.
  directory: (page) => page.goto('/dealers'),
  messages: async (page) => {
    await page.goto('/')
    await page.getByRole('button', { name: /^Messaging/ }).click()
    const conversations = page.getByRole('list', { name: 'Conversations' }).getByRole('button')
    await conversations.first().click()
    await conversations.nth(1).click()
  },
}

run(async () => {
  const baseURL = process.argv[2]
  if (!baseURL) throw new Fault('Say where the demo runs: node scripts/tour.mjs http://localhost:5000')
  const { chromium } = await import('playwright-core')
  const { path, env } = findChromium()
  const browser = await chromium.launch({
    executablePath: path,
    env: { ...process.env, ...env },
    args: ['--no-sandbox', '--disable-background-networking'],
  })
  try {
    for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
      const context = await browser.newContext({ baseURL, viewport: size, colorScheme, reducedMotion: 'reduce' })
      const answer = await context.request.post('/api/auth/login', { data: dealer, headers: { origin: baseURL } })
      if (!answer.ok()) throw new Fault(`the demo dealer could not sign in: ${answer.status()}`)
      const page = await context.newPage()
      for (const [name, show] of Object.entries(steps)) {
        await show(page)
        await page.waitForLoadState('networkidle', { timeout: 5_000 }).catch(() => undefined)
        await page.mouse.move(0, 0)
        const file = inRoot('client', 'public', 'site', `tour-${name}-${colorScheme}.webp`)
        await sharp(await page.screenshot())
          .resize({ width: shownWidth })
          .webp({ quality, effort: 6 })
          .toFile(file)
        say(file)
      }
      await context.close()
    }
  } finally {
    await browser.close()
  }
})
