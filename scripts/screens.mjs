/** `npm run screens [-- path …]`: a picture of every route, wide and narrow, light and dark, into .data/screens. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureBuilt } from './build.mjs'
import { findChromium } from './chromium.mjs'
import { run, say } from './console.mjs'
import { ensureInstalled } from './install.mjs'
import { endChild } from './processes.mjs'
import { inRoot } from './root.mjs'
import { startServices } from './services.mjs'
import { startProduct } from './templates.mjs'

const VISITOR = [
  '/login',
  '/',
  '/about',
  '/pricing',
  '/contact',
  '/features',
  '/security',
  '/help',
  '/privacy',
  '/blog',
  '/careers',
  '/status',
  '/mobile',
  '/api-docs',
]
const DEALER = [
  '/',
  '/dealers',
  '/my-dealers',
  '/discover',
  '/messages',
  '/notifications',
  '/subscribe',
  '/wholesale-news',
  '/dealer-profile',
  '/settings',
  '/profile-edit',
  '/plan-management',
  '/onboarding',
  '/payment?plan=premium',
  '/no-such-page',
]
const ADMIN = [
  '/admin',
  '/admin/users',
  '/admin/deals',
  '/admin/promo',
  '/admin/pricing',
  '/admin/audit',
  '/admin/queues',
]
const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]

/** @param {string} path */
const fileName = (path) => (path === '/' ? 'home' : path.slice(1).replaceAll(/[^a-z0-9]+/g, '-'))

/** @param {import('playwright-core').Browser} browser @param {string} url @param {{ who: string, email?: string | undefined, password: string, paths: string[] }} visit @param {string} folder */
async function picture(browser, url, { who, email, password, paths }, folder) {
  for (const viewport of SIZES) {
    for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
      const context = await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce' })
      const page = await context.newPage()
      if (email) {
        const answer = await context.request.post(`${url}/api/auth/login`, {
          data: { email, password },
          headers: { origin: url },
        })
        if (!answer.ok()) throw new Error(`${email} could not sign in: ${answer.status()}`)
      }
      for (const path of paths) {
        await page.goto(`${url}${path}`, { waitUntil: 'load' })
        await page.waitForLoadState('networkidle', { timeout: 3_000 }).catch(() => undefined)
        const name = `${who}-${fileName(path)}-${viewport.width}-${colorScheme}.png`
        await page.screenshot({ path: join(folder, name), fullPage: viewport.width < 1000 })
        say(name)
      }
      await context.close()
    }
  }
}

run(async () => {
  await ensureInstalled()
  await ensureBuilt()
  const { chromium } = await import('playwright-core')
  const wanted = process.argv.slice(2)
  const chosen = (/** @type {string[]} */ paths) => paths.filter((path) => wanted.length === 0 || wanted.includes(path))
  const pictures = inRoot('.data', 'screens')
  mkdirSync(pictures, { recursive: true })
  const folder = mkdtempSync(join(tmpdir(), 'lanewire-screens-'))
  chmodSync(folder, 0o755)
  const services = await startServices({ folder, throwAway: true })
  const { child, url } = await startProduct({
    DATABASE_URL: services.databaseUrl,
    REDIS_URL: services.redisUrl,
    DATA_DIR: join(folder, 'data'),
    RATE_LIMITS: 'off',
  })
  services.watch(child)
  const { path, env } = findChromium()
  const browser = await chromium.launch({
    executablePath: path,
    env: { ...process.env, ...env },
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-background-networking'],
  })
  try {
    const { tsImport } = await import('tsx/esm/api')
    const {
      adminEmail,
      danaEmail,
      demoPassword: password,
    } = await tsImport('../server/db/seed/accounts.ts', import.meta.url)
    const origin = url.replace(/\/$/, '')
    await picture(browser, origin, { who: 'visitor', password, paths: chosen(VISITOR) }, pictures)
    await picture(browser, origin, { who: 'dealer', email: danaEmail, password, paths: chosen(DEALER) }, pictures)
    await picture(browser, origin, { who: 'admin', email: adminEmail, password, paths: chosen(ADMIN) }, pictures)
  } finally {
    await browser.close()
    await endChild(child, 'SIGTERM')
    await services.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  say(`\nPictures are in ${pictures}`)
})
