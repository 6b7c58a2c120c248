/**
 * `npm run screens [-- URL] [--state=usual,empty,…] [--size=1024x768] [path, name or visit …]` saves screenshots of all screens in
 * .data/screens. Uses a running demo, or starts one. `-- --check` compares the screens of CHECKED with the stored ones, and
 * `-- --accept` stores new ones.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { bundledChromium, findChromium } from '../programs/chromium.mjs'
import { Fault, run, print } from '../console.mjs'
import { ensureInstalled } from '../run/install.mjs'
import { withOwnDemo } from '../run/temporary-demo.mjs'
import { requireRedis } from '../programs/redis.mjs'
import { inRoot } from '../root.mjs'
import { adminScreens, CHECKED, dealerScreens, nameOf, NEWCOMER, VISITOR, WAITING } from './list.mjs'
import { intercept, NOON, STATES } from './states.mjs'

await ensureInstalled()
const { accept, beginComparison, compare, differences, tidyAccepted } = await import('./compare.mjs')

const USAGE =
  'npm run screens [-- URL] [--check | --accept] [--state=usual,empty,…] [--size=1024x768] [path, name or visit …]'
const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]
/** Timeout in ms for opening an overlay in unusual states, in which it may not open. */
const OPEN_MS = 4_000
const NEWEST_AGE_MS = 20 * 60_000
const ALONE = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-background-networking']
const ALIKE = ['--font-render-hinting=none', '--disable-lcd-text', '--force-color-profile=srgb']

/** @typedef {import('playwright-core').BrowserContext} Context */
/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('./list.mjs').Screen} Screen */
/** @typedef {import('./states.mjs').StateName} StateName */

/** @param {Context} context @param {string} path @param {object} [data] */
async function ask(context, path, data) {
  const answer = await (data ? context.request.post(path, { data }) : context.request.get(path))
  if (!answer.ok()) throw new Fault(`${path} answered ${answer.status()}: ${await answer.text()}`)
  return answer.json()
}

/** Returns ids of a post, an auction, a dealer, a deal and a chat of the demo. @param {Context} context */
async function findIds(context) {
  const { id } = await ask(context, '/api/auth/me')
  const posts = await ask(context, '/api/inventory?limit=35')
  const [own] = await ask(context, `/api/inventory?dealerId=${id}&limit=1`)
  const [deal] = await ask(context, `/api/deals/${id}`)
  const [chat] = await ask(context, '/api/chats?limit=1')
  const auction = posts.find((/** @type {{ isAuction: boolean }} */ post) => post.isAuction) ?? own
  return { own: own.id, auction: auction.id, dealer: auction.dealer.id, deal: deal.id, chat: chat.id }
}

/**
 * @typedef {object} Look
 * @property {{ width: number, height: number }} viewport
 * @property {'light' | 'dark'} colorScheme
 * @property {StateName} state
 */

/**
 * @typedef {object} Keep
 * @property {(visit: string, screen: Screen, name: string) => boolean} isWanted
 * @property {(name: string, bytes: Buffer) => Promise<unknown>} picture
 * @property {boolean} seenOnly true to take only the viewport of a phone, not the full page
 */

const isNarrow = (/** @type {Look} */ { viewport }) => viewport.width < 1000

/** @param {string} visit @param {Screen} screen @param {Look} look */
const fileOf = (visit, screen, { viewport, colorScheme, state }) =>
  [visit, nameOf(screen), ...(state === 'usual' ? [] : [state]), viewport.width, colorScheme].join('-')

/** Only the usual state has both color schemes. @param {readonly StateName[]} states @param {typeof SIZES} sizes @returns {Look[]} */
const looksOf = (states, sizes) =>
  states.flatMap((state) =>
    sizes.flatMap((viewport) =>
      /** @type {const} */ (['light', 'dark'])
        .filter((colorScheme) => state === 'usual' || viewport.width > 1000 === (colorScheme === 'light'))
        .map((colorScheme) => ({ state, viewport, colorScheme })),
    ),
  )

/**
 * Shows a screen in a state. Overlay and offline pages first load in the usual state. Returns true if the state affected the page.
 * @param {Page} page @param {Awaited<ReturnType<typeof intercept>>} net @param {Screen} screen @param {Look} look
 */
async function show(page, net, screen, look) {
  const { state } = look
  const beginsAsUsual = screen.open !== undefined || state === 'offline'
  net.forget()
  await net.enter(beginsAsUsual ? 'usual' : state)
  await page.goto(screen.path, { waitUntil: 'load' })
  await net.settle(page)
  if (beginsAsUsual && state !== 'usual') await net.enter(state)
  if (state === 'offline' && !(await net.showsOffline(page))) return false
  if (screen.open) {
    if (state !== 'usual') page.setDefaultTimeout(OPEN_MS)
    const opened = screen.open(page, isNarrow(look))
    await (state === 'usual' ? opened : opened.catch(() => undefined))
    await net.settle(page)
  }
  return state === 'usual' || state === 'offline' || net.isFelt()
}

/** @param {Context} context @param {Look} look @param {{ visit: string, screens: Screen[], byMs: number, keep: Keep }} what */
async function picture(context, look, { visit, screens, byMs, keep }) {
  const net = await intercept(context, byMs)
  for (const screen of screens) {
    // Open a new page for each screen, because a page keeps state such as open overlays.
    const page = await context.newPage()
    await page.clock.setFixedTime(NOON)
    await screen.prepare?.(page)
    if (await show(page, net, screen, look)) {
      // On phones, take the full page, unless an overlay is open or only the viewport is wanted.
      const fullPage = isNarrow(look) && !screen.open && !keep.seenOnly
      const bytes = await page.screenshot({ fullPage, animations: 'disabled', caret: 'hide', timeout: 30_000 })
      await keep.picture(fileOf(visit, screen, look), bytes)
    }
    await page.close()
  }
}

/** @type {Record<string, (context: Context) => Promise<Screen[]>>} */
const VISITS = {
  visitor: async () => VISITOR,
  newcomer: async (context) => {
    await signUpOnce(context, { email: 'new@screens.example', password: 'somebody-new-2026' })
    return NEWCOMER
  },
  waiting: async (context) => {
    const account = { email: 'waiting@screens.example', password: 'somebody-new-2026' }
    await setJoining(context, 'approval')
    if (await signUpOnce(context, account))
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

/** Signs in or signs up. Resolves to true if the account is new. @param {Context} context @param {object} account */
async function signUpOnce(context, account) {
  const known = await context.request.post('/api/auth/login', { data: account })
  if (!known.ok()) await ask(context, '/api/auth/signup', account)
  return !known.ok()
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

/** Signs in as an admin and sets who may join the network. @param {Context} context @param {'open' | 'approval'} joining */
async function setJoining(context, joining) {
  await signIn(context, 'admin')
  const answer = await context.request.patch('/api/admin/network', { data: { joining } })
  if (!answer.ok()) throw new Fault(`/api/admin/network answered ${answer.status()}: ${await answer.text()}`)
}

/** @param {Context} context @param {'dealer' | 'admin'} role */
async function signIn(context, role) {
  const { tsImport } = await import('tsx/esm/api')
  const { demoAccounts } = await tsImport('../../server/features/auth/demo-accounts.ts', import.meta.url)
  const account = demoAccounts.find((/** @type {{ role: string }} */ one) => one.role === role)
  if (!account) throw new Fault(`There is no demo account for the role ${role}.`)
  await ask(context, '/api/auth/login', { email: account.email, password: account.password })
}

/** Returns by how many ms to shift timestamps, so that the newest post always has the same age. @param {Context} context */
async function measureAge(context) {
  await signIn(context, 'dealer')
  const [newest] = await ask(context, '/api/inventory?limit=1')
  return NOON.getTime() - NEWEST_AGE_MS - Date.parse(newest.createdAt)
}

/**
 * @param {string} baseURL @param {object} what @param {ReturnType<typeof findChromium>} what.browser @param {string[]} what.visits
 * @param {readonly StateName[]} what.states @param {typeof SIZES} what.sizes @param {Keep} what.keep
 */
async function takePictures(baseURL, { browser: { path, env }, visits, states, sizes, keep }) {
  const { chromium } = await import('playwright-core')
  const browser = await chromium.launch({
    executablePath: path,
    env: { ...process.env, ...env },
    args: [...ALONE, ...ALIKE],
  })
  const same = /** @type {const} */ ({ baseURL, locale: 'en-US', timezoneId: 'UTC', reducedMotion: 'reduce' })
  try {
    const byMs = await measureAge(await browser.newContext(same))
    for (const visit of visits) {
      const door = await browser.newContext(same)
      const screens = (await VISITS[visit]?.(door)) ?? []
      const storageState = await door.storageState()
      await door.close()
      for (const look of looksOf(states, sizes)) {
        const { viewport, colorScheme, state } = look
        const size = isNarrow(look) ? 'narrow' : 'wide'
        const wanted = screens.filter(
          (screen) =>
            (screen.only ?? size) === size &&
            (state === 'usual' || state === 'offline' || screen.prepare === undefined) &&
            keep.isWanted(visit, screen, fileOf(visit, screen, look)),
        )
        if (wanted.length === 0) continue
        const context = await browser.newContext({
          ...same,
          storageState,
          viewport,
          colorScheme,
          serviceWorkers: 'block',
        })
        await picture(context, look, { visit, screens: wanted, byMs, keep })
        await context.close()
      }
    }
  } finally {
    await browser.close()
  }
}

/** @param {string[]} wanted paths, names or visits; an empty list means all @returns {Keep} */
const intoFolder = (wanted) => ({
  seenOnly: false,
  isWanted: (visit, screen) =>
    wanted.length === 0 || [visit, screen.path, nameOf(screen)].some((word) => wanted.includes(word)),
  picture: async (name, bytes) => {
    writeFileSync(inRoot('.data', 'screens', `${name}.png`), bytes)
    print(name)
  },
})

/** @param {string[]} wanted names of pictures; an empty list means all @param {boolean} accepts */
function againstAccepted(wanted, accepts) {
  /** Faults by picture. A picture that has not been taken yet counts as a fault. @type {Map<string, string>} */
  const faults = new Map(
    CHECKED.filter((name) => wanted.length === 0 || wanted.includes(name)).map((name) => [name, 'was not taken']),
  )
  const names = [...faults.keys()]
  /** @type {Keep} */
  const keep = {
    seenOnly: true,
    isWanted: (_visit, _screen, name) => names.includes(name),
    picture: async (name, bytes) => {
      const fault = accepts ? await accept(name, bytes) : await compare(name, bytes)
      if (fault) faults.set(name, fault)
      else faults.delete(name)
      print(`${fault ? '✗' : '✓'} ${name}${fault ? `: ${fault}` : ''}`)
    },
  }
  return { keep, names, faults }
}

/** @param {string[]} options @returns {readonly StateName[]} */
function statesOf(options) {
  const asked = options.flatMap((option) => /^--state=(.+)/.exec(option)?.[1]?.split(',') ?? [])
  const unknown = asked.find((name) => !STATES.some((state) => state === name))
  if (unknown !== undefined) throw new Fault(`Unknown state ${unknown}. The states are ${STATES.join(', ')}.`)
  return asked.length === 0 ? STATES : STATES.filter((state) => asked.includes(state))
}

/** @param {string[]} options */
function sizesOf(options) {
  const asked = options.flatMap((option) => {
    const [, width, height] = /^--size=(\d+)x(\d+)$/.exec(option) ?? []
    return width && height ? [{ width: Number(width), height: Number(height) }] : []
  })
  return asked.length === 0 ? SIZES : asked
}

run(async () => {
  requireRedis()
  mkdirSync(inRoot('.data', 'screens'), { recursive: true })
  const words = process.argv.slice(2)
  const options = words.filter((word) => word.startsWith('--'))
  const unknown = options.find((option) => !/^--(check|accept|state=.+|size=\d+x\d+)$/.test(option))
  if (unknown !== undefined) throw new Fault(`There is no ${unknown}. ${USAGE}`)
  const url = words.find((word) => word.startsWith('http'))
  const wanted = words.filter((word) => !options.includes(word) && word !== url)
  /** @param {Omit<Parameters<typeof takePictures>[1], 'states' | 'sizes'>} what */
  const take = (what) => {
    const [states, sizes] = [statesOf(options), sizesOf(options)]
    const work = (/** @type {string} */ base) => takePictures(base, { ...what, states, sizes })
    return url ? work(url) : withOwnDemo('screens', work)
  }
  const everyVisit = Object.keys(VISITS)
  if (!options.includes('--check') && !options.includes('--accept')) {
    await take({ browser: findChromium(), visits: everyVisit, keep: intoFolder(wanted) })
    print(`\nPictures are in ${inRoot('.data', 'screens')}`)
    return 0
  }
  beginComparison()
  const { keep, names, faults } = againstAccepted(wanted, options.includes('--accept'))
  const visits = everyVisit.filter((visit) => names.some((name) => name.startsWith(`${visit}-`)))
  await take({ browser: bundledChromium(), visits, keep })
  for (const [name, fault] of faults) print(`${name} ${fault}`)
  if (faults.size > 0) print(`\nWhat was accepted, what is there now and where it differs: ${differences}`)
  if (options.includes('--accept')) print(`\n${(tidyAccepted() / 1e6).toFixed(1)} MB are accepted`)
  print(`\n${names.length - faults.size} passed, ${faults.size} failed`)
  return faults.size > 0 ? 1 : 0
})
