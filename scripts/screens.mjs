/**
 * `npm run screens [-- http://localhost:5000] [path …]`: a picture of every route and of what opens over it, wide and
 * narrow, light and dark, into .data/screens; of a demo that runs, or of one started for it.
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureBuilt } from './build.mjs'
import { findChromium } from './chromium.mjs'
import { Fault, run, say } from './console.mjs'
import { ensureInstalled } from './install.mjs'
import { endChild } from './processes.mjs'
import { requireRedis } from './redis.mjs'
import { inRoot } from './root.mjs'
import { adminScreens, dealerScreens, nameOf, NEWCOMER, VISITOR, WAITING } from './screens-list.mjs'
import { startServices } from './services.mjs'
import { startProduct } from './templates.mjs'

const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]
const QUIET_MS = 3_000

/** @typedef {import('playwright-core').BrowserContext} Context */
/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('./screens-list.mjs').Screen} Screen */

/** @param {Context} context @param {string} path @param {object} [data] */
async function ask(context, path, data) {
  const answer = await (data ? context.request.post(path, { data }) : context.request.get(path))
  if (!answer.ok()) throw new Fault(`${path} answered ${answer.status()}: ${await answer.text()}`)
  return answer.json()
}

/** Something of each kind to look at. @param {Context} context */
async function findIds(context) {
  const { id } = await ask(context, '/api/auth/me')
  const posts = await ask(context, '/api/inventory?limit=35')
  const [own] = await ask(context, `/api/inventory?dealerId=${id}&limit=1`)
  const [deal] = await ask(context, `/api/deals/${id}`)
  const [chat] = await ask(context, '/api/chats?limit=1')
  const auction = posts.find((/** @type {{ isAuction: boolean }} */ post) => post.isAuction) ?? own
  return { own: own.id, auction: auction.id, dealer: auction.dealer.id, deal: deal.id, chat: chat.id }
}

/** Waits for what the page still loads; what polls for ever is not waited for. @param {Page} page */
const quiet = (page) => page.waitForLoadState('networkidle', { timeout: QUIET_MS }).catch(() => undefined)

/** @param {Context} context @param {{ prefix: string, suffix: string, narrow: boolean }} about @param {Screen[]} screens */
async function picture(context, { prefix, suffix, narrow }, screens) {
  const page = await context.newPage()
  for (const screen of screens) {
    await page.goto(screen.path, { waitUntil: 'load' })
    await quiet(page)
    await screen.open?.(page, narrow)
    if (screen.open) await quiet(page)
    const name = `${prefix}-${nameOf(screen)}-${suffix}.png`
    // A page alone is shown whole on a phone; what was opened lies over the part that is seen.
    await page.screenshot({ path: inRoot('.data', 'screens', name), fullPage: narrow && !screen.open })
    say(name)
  }
}

/** Who looks at what; each signs in anew. @type {Record<string, (context: Context) => Promise<Screen[]>>} */
const VISITS = {
  visitor: async () => VISITOR,
  newcomer: async (context) => {
    const email = `new-${Date.now()}@screens.example`
    await ask(context, '/api/auth/signup', { email, password: 'somebody-new-2026' })
    return NEWCOMER
  },
  waiting: async (context) => {
    const account = { email: `wait-${Date.now()}@screens.example`, password: 'somebody-new-2026' }
    await setJoining(context, 'approval')
    await ask(context, '/api/auth/signup', account)
    await ask(context, '/api/auth/complete-profile', { ...waitingProfile, email: account.email })
    await setJoining(context, 'open')
    await ask(context, '/api/auth/login', account)
    return WAITING
  },
  dealer: async (context) => {
    await signIn(context, 'dealer')
    return dealerScreens(await findIds(context))
  },
  admin: async (context) => {
    await signIn(context, 'admin')
    const { users } = await (await context.request.get('/api/admin/users?q=dana@torresauto')).json()
    return adminScreens(users[0].id)
  },
}

const waitingProfile = {
  firstName: 'Wanda',
  lastName: 'Whitlock',
  phone: '(214) 555-0162',
  address: '12 Elm St',
  city: 'Plano',
  state: 'TX',
  zipCode: '75074',
  country: 'US',
  dealershipName: 'Whitlock Motors',
  dealershipType: 'independent',
  auctionAccessNumber: '5140211',
  dealership5MilNumber: '5040211',
  profileType: 'seller',
  buysCanadianVehicles: false,
  license: { number: 'TX-40211', state: 'TX', expiresOn: '2044-06-30', scan: null },
}

/** As an admin. @param {Context} context @param {'open' | 'approval'} joining */
async function setJoining(context, joining) {
  await signIn(context, 'admin')
  const answer = await context.request.patch('/api/admin/network', { data: { joining } })
  if (!answer.ok()) throw new Fault(`/api/admin/network answered ${answer.status()}: ${await answer.text()}`)
}

/** @param {Context} context @param {'dealer' | 'admin'} role */
async function signIn(context, role) {
  const { tsImport } = await import('tsx/esm/api')
  const { demoAccounts } = await tsImport('../server/features/auth/demo-accounts.ts', import.meta.url)
  const account = demoAccounts.find((/** @type {{ role: string }} */ one) => one.role === role)
  if (!account) throw new Fault(`There is no demo account for the role ${role}.`)
  await ask(context, '/api/auth/login', { email: account.email, password: account.password })
}

/** @param {string} baseURL @param {string[]} wanted */
async function takePictures(baseURL, wanted) {
  const { chromium } = await import('playwright-core')
  const { path, env } = findChromium()
  const browser = await chromium.launch({
    executablePath: path,
    env: { ...process.env, ...env },
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-background-networking'],
  })
  try {
    for (const [prefix, visit] of Object.entries(VISITS))
      for (const viewport of SIZES)
        for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
          const context = await browser.newContext({ baseURL, viewport, colorScheme, reducedMotion: 'reduce' })
          const screens = (await visit(context)).filter(
            (screen) => wanted.length === 0 || wanted.includes(screen.path) || wanted.includes(nameOf(screen)),
          )
          const suffix = `${viewport.width}-${colorScheme}`
          await picture(context, { prefix, suffix, narrow: viewport.width < 1000 }, screens)
          await context.close()
        }
  } finally {
    await browser.close()
  }
}

/** @param {string[]} wanted */
async function pictureOwnDemo(wanted) {
  await ensureBuilt()
  const folder = mkdtempSync(join(tmpdir(), 'lanewire-screens-'))
  chmodSync(folder, 0o755)
  const services = await startServices({ folder, throwAway: true })
  const { child, url } = await startProduct({
    DATABASE_URL: services.databaseUrl,
    REDIS_URL: services.redisUrl,
    DATA_DIR: join(folder, 'data'),
    DEMO_DIRECTOR: 'off',
    RATE_LIMITS: 'off',
  })
  services.watch(child)
  try {
    await takePictures(url, wanted)
  } finally {
    await endChild(child, 'SIGTERM')
    await services.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

run(async () => {
  requireRedis()
  await ensureInstalled()
  mkdirSync(inRoot('.data', 'screens'), { recursive: true })
  const [first = '', ...rest] = process.argv.slice(2)
  if (first.startsWith('http')) await takePictures(first, rest)
  else await pictureOwnDemo(process.argv.slice(2))
  say(`\nPictures are in ${inRoot('.data', 'screens')}`)
})
