/** `node scripts/screens/site-pictures.mjs http://localhost:5000` saves screenshots of a running demo in client/public/site. */
import sharp from 'sharp'
import { findChromium } from '../programs/chromium.mjs'
import { Fault, run, print } from '../console.mjs'
import { inRoot } from '../root.mjs'

const dealer = { email: 'dana@torresauto.example', password: 'lanewire-demo-2026' }
const quietMs = 5_000

const looks = [
  { prefix: 'tour', viewport: { width: 1440, height: 810 }, deviceScaleFactor: 1, shownWidth: 1280, quality: 72 },
  { prefix: 'phone', viewport: { width: 390, height: 720 }, deviceScaleFactor: 2, shownWidth: 780, quality: 60 },
]

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('playwright-core').BrowserContext} Context */

/** @param {Page} page @param {string} path */
async function openFeed(page, path) {
  await page.goto(path)
  await page.locator('main article h2, main article h3').first().waitFor()
}

/** Functions that open each screen, by image name. @type {Record<string, (page: Page, narrow: boolean) => Promise<unknown>>} */
const steps = {
  feed: (page) => openFeed(page, '/'),
  search: (page) => openFeed(page, '/?search=Tacoma'),
  post: async (page) => {
    const [post] = await (await page.request.get('/api/inventory?search=Tacoma&limit=1')).json()
    await page.goto(`/post/${post.id}`)
    await page.getByRole('heading', { name: post.title }).first().waitFor()
  },
  // This step must come before messages, because the dock stays open on all later pages.
  directory: async (page) => {
    await page.goto('/dealers')
    await page
      .getByRole('button', { name: /^Connect/ })
      .first()
      .waitFor()
  },
  messages: async (page, narrow) => {
    const [chat] = await (await page.request.get('/api/chats?limit=1')).json()
    if (narrow) await page.goto(`/messages?chat=${chat.id}`)
    else {
      await page.goto('/')
      await page.getByRole('button', { name: /^Messaging/ }).click()
      const conversations = page.getByRole('list', { name: 'Conversations' }).getByRole('button')
      await conversations.first().click()
      await conversations.nth(1).click()
    }
    await page.getByRole('log').last().waitFor()
  },
}

/** @param {Page} page @param {string} file @param {typeof looks[number]} look */
async function picture(page, file, { shownWidth, quality }) {
  await page.waitForLoadState('networkidle', { timeout: quietMs }).catch(() => undefined)
  await page.getByText(/^Reconnecting/).waitFor({ state: 'hidden' })
  await page.mouse.move(0, 0)
  await sharp(await page.screenshot())
    .resize({ width: shownWidth })
    .webp({ quality, effort: 6 })
    .toFile(file)
  print(file)
}

/** @param {Context} context @param {typeof looks[number]} look @param {string} theme */
async function takeTour(context, look, theme) {
  const page = await context.newPage()
  for (const [name, show] of Object.entries(steps)) {
    await show(page, look.viewport.width < 768)
    await picture(page, inRoot('client', 'public', 'site', `${look.prefix}-${name}-${theme}.webp`), look)
  }
}

/** Takes the picture that appears when the site is shared. @param {import('playwright-core').Browser} browser @param {string} baseURL */
async function takeSharing(browser, baseURL) {
  const context = await browser.newContext({ baseURL, viewport: { width: 1200, height: 630 }, reducedMotion: 'reduce' })
  const page = await context.newPage()
  await page.goto('/', { waitUntil: 'networkidle' })
  const file = inRoot('client', 'public', 'site', 'og.png')
  await sharp(await page.screenshot())
    .png({ palette: true, effort: 10 })
    .toFile(file)
  print(file)
  await context.close()
}

run(async () => {
  const baseURL = process.argv[2]
  if (!baseURL) throw new Fault('Say where the demo runs: node scripts/screens/site-pictures.mjs http://localhost:5000')
  const { chromium } = await import('playwright-core')
  const { path, env } = findChromium()
  const browser = await chromium.launch({
    executablePath: path,
    env: { ...process.env, ...env },
    args: ['--no-sandbox', '--disable-background-networking'],
  })
  try {
    for (const look of looks)
      for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
        const { viewport, deviceScaleFactor } = look
        const context = await browser.newContext({
          baseURL,
          viewport,
          deviceScaleFactor,
          colorScheme,
          reducedMotion: 'reduce',
        })
        const answer = await context.request.post('/api/auth/login', { data: dealer, headers: { origin: baseURL } })
        if (!answer.ok()) throw new Fault(`the demo dealer could not sign in: ${answer.status()}`)
        await takeTour(context, look, colorScheme)
        await context.close()
      }
    await takeSharing(browser, baseURL)
  } finally {
    await browser.close()
  }
})
