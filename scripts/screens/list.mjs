import { laneScreens } from './lane-states.mjs'

/** @typedef {import('playwright-core').Page} Page */
/**
 * @typedef {object} Screen
 * @property {string} path
 * @property {string} [name]
 * @property {(page: Page) => Promise<unknown>} [prepare] runs before the page opens, for example to fake responses
 * @property {(page: Page, narrow: boolean) => Promise<unknown>} [open]
 * @property {'wide' | 'narrow'} [only]
 */

/** @param {string} path @returns {Screen} */
const page = (path) => ({ path })

/** @param {string[]} lines paths separated by spaces @returns {Screen[]} */
const pages = (...lines) => lines.flatMap((line) => line.split(' ').map(page))

/** @param {Page} page */
async function openComposer(page) {
  await page.getByRole('radio', { name: 'Post' }).click()
  await page.getByPlaceholder('Post title').filter({ visible: true }).waitFor()
}

/** @type {(name: string | RegExp) => (page: Page) => Promise<unknown>} */
const press = (name) => (page) =>
  page.getByRole('button', { name, exact: true }).filter({ visible: true }).first().click()

/** Clicks and waits for the dialog. @type {(name: string | RegExp) => (page: Page) => Promise<unknown>} */
const openBy = (name) => async (page) => {
  await press(name)(page)
  return page.getByRole('dialog').last().waitFor()
}

/** @type {(words: string) => (page: Page) => Promise<unknown>} */
const searchFor = (words) => async (page) => {
  await page.keyboard.press('/')
  await page.getByRole('combobox', { name: 'Search dealers, vehicles, VINs' }).fill(words)
  return page.getByRole('group', { name: 'Posts' }).waitFor()
}

/** Enters a vehicle of the dealer that other dealers want. Waits until the demand is shown. @param {Page} page */
async function openDemand(page) {
  const read = async (/** @type {string} */ path) => (await page.request.get(path)).json()
  const { items } = await read('/api/demand/list?have=1')
  const { postId, vehicleId } = items.find((/** @type {{ yours: object[] }} */ { yours }) => yours.length > 0).yours[0]
  const { vehicles } = await read(`/api/inventory/${postId}`)
  const vehicle = vehicles.find((/** @type {{ id: string }} */ { id }) => id === vehicleId)
  await openBy('Post Inventory')(page)
  const dialog = page.getByRole('dialog').last()
  await dialog.getByLabel('VIN').fill(vehicle.vin)
  await dialog.getByText('VIN Decoded!').waitFor()
  for (const name of ['Year', 'Make', 'Model', 'Mileage', 'Price']) {
    const field = dialog.getByLabel(name, { exact: true })
    // Phones collapse the fields that were filled in from the VIN.
    if (await field.isVisible()) await field.fill(String(vehicle[name.toLowerCase()] ?? ''))
  }
  const demand = dialog.getByRole('region', { name: 'Demand for this vehicle' })
  await demand.waitFor()
  return demand.scrollIntoViewIfNeeded()
}

/** Fakes the setup page of a network without an admin, because the demo network has one. @param {Page} page */
async function openSetup(page) {
  const joining = '**/api/auth/joining'
  await page.route(joining, (route) => route.fulfill({ json: { joining: 'open', needsSetup: true } }))
  await page.reload()
  await page.getByLabel('Token').waitFor()
  await page.unroute(joining)
}

export const VISITOR = [
  ...pages(
    '/login / /about /pricing /contact /features /security /help /privacy /blog',
    '/careers /status /mobile /api-docs /offline /reset /verify-email /demo-mail /setup',
  ),
  { path: '/setup', name: 'setup-first-admin', open: openSetup },
]

export const NEWCOMER = [page('/onboarding')]

/** The screens of a dealer who is waiting for an admin's approval. @type {Screen[]} */
export const WAITING = [{ path: '/', name: 'waiting' }]

/** @param {Record<'own' | 'auction' | 'dealer' | 'deal' | 'chat', string>} ids @returns {Screen[]} */
export const dealerScreens = ({ own, auction, dealer, deal, chat }) => [
  page('/'),
  { path: '/', name: 'composer', open: openComposer },
  { path: '/', name: 'comments', open: press(/^Comments/) },
  { path: '/', name: 'dealer-popup', open: openBy('View Dealer Profile') },
  { path: '/', name: 'auction', open: openBy('Open live auction') },
  { path: '/', name: 'search', open: searchFor('ford') },
  { path: '/', name: 'post-inventory', open: openBy('Post Inventory') },
  {
    path: '/',
    name: 'post-multiple',
    open: async (page) => {
      await openBy('Post Inventory')(page)
      return page.getByRole('tab', { name: 'MULTIPLE VEHICLES' }).click()
    },
  },
  {
    path: '/',
    name: 'menu-and-analytics',
    open: async (page, narrow) => {
      if (narrow) await openBy('Open menu')(page)
      return openBy(/Vehicles Sold/)(page)
    },
  },
  page('/lane'),
  { path: '/lane?view=selling', name: 'lane-selling' },
  ...laneScreens,
  page(`/post/${own}`),
  { ...page(`/post/${auction}`), name: 'post-auction' },
  { ...page(`/?edit=${own}`), name: 'edit-post' },
  ...['/deals', `/deals/${deal}`, '/dealers', '/my-dealers', '/discover', `/dealers/${dealer}`].map(page),
  page('/find'),
  { path: '/find?mmt=Ford~F-150&as=cards', name: 'find-cards' },
  { path: '/find?mmt=Ford~F-150&price=-100', name: 'find-none' },
  {
    path: '/find?mmt=Toyota~Camry,Honda&price=-30000&near=74112&within=300&sale=fixed',
    name: 'find-filters',
    open: async (page, narrow) => {
      await page.getByRole('button', { name: 'Remove Up to $30,000' }).waitFor()
      if (narrow) await openBy(/^Filters/)(page)
    },
  },
  ...['/wanted', '/wanted?view=demand', '/wanted?order=new&mmt=Ford~F-150&price=-30000'].map(page),
  { path: '/wanted?view=demand', name: 'wanted-offer', open: openBy(/^Offer yours/) },
  { path: '/', name: 'post-demand', open: openDemand },
  ...['/messages', `/messages?chat=${chat}`, '/notifications', '/watchlist'].map(page),
  ...['/wholesale-news', '/wholesale-news/buying-canadian-units', '/dealer-profile', '/profile-edit'].map(page),
  ...['help', 'help/add-photos', 'contact', 'privacy', 'status'].map((path) => ({
    path: `/${path}`,
    name: `in-app-${path.replace('/', '-')}`,
  })),
  ...['/settings', '/subscribe', '/plan-management', '/payment?plan=premium', '/no-such-page'].map(page),
  { path: '/settings#security', name: 'second-factor', open: openBy('Set up app') },
  // This screen must be last, because the dock stays open on all later pages.
  {
    path: '/',
    name: 'more-and-dock',
    open: async (page, narrow) => {
      if (narrow) return page.getByRole('button', { name: 'More' }).last().click()
      await press(/^Messaging/)(page)
      const conversations = page.getByRole('list', { name: 'Conversations' }).getByRole('button')
      await conversations.first().click()
      await conversations.nth(1).click()
      return page.getByRole('log').first().waitFor()
    },
  },
]

/** @param {string} dealer an id @returns {Screen[]} */
export const adminScreens = (dealer) => [...ADMIN, { path: `/admin/users/${dealer}`, name: 'admin-dealer' }]

const ADMIN = pages(
  '/admin /admin/users /admin/network /admin/deals /admin/promo /admin/pricing /admin/moderation',
  '/admin/messages /admin/newsletter /admin/status /admin/audit /admin/queues /lane?view=all',
)

const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/** Returns the name of a screen's file without its extension. @param {Screen} screen */
export function nameOf({ path, name }) {
  if (name) return name
  return path === '/'
    ? 'home'
    : path
        .slice(1)
        .replaceAll(uuid, 'id')
        .replaceAll(/[^a-z0-9]+/g, '-')
}

const WIDE_AND_NARROW = ['1440-light', '390-dark']

/** @param {string} visit @param {string} names separated by spaces @param {string[]} looks */
const looksAt = (visit, names, looks = WIDE_AND_NARROW) =>
  names.split(' ').flatMap((name) => looks.map((look) => `${visit}-${name}-${look}`))

/** The screens to compare. Excludes screens that change on their own or with the date: auctions, the landing page, monthly figures. */
export const CHECKED = [
  ...looksAt('visitor', 'pricing help'),
  ...looksAt('visitor', 'login', ['390-dark']),
  ...looksAt('visitor', 'privacy', ['1440-light']),
  ...looksAt('newcomer', 'onboarding'),
  ...looksAt('dealer', 'home', ['1440-dark', '390-light']),
  ...looksAt('dealer', 'deals dealers messages-chat-id find-filters settings post-id post-inventory'),
  ...looksAt('dealer', 'home-empty home-loading home-error home-offline home-long', ['1440-light']),
  ...looksAt('dealer', 'deals-empty deals-loading deals-error deals-long composer', ['390-dark']),
  ...looksAt('dealer', 'dealers-many notifications dealer-popup', ['1440-light']),
  ...looksAt('admin', 'admin-users admin-users-many', ['1440-light']),
  ...looksAt('admin', 'admin-moderation', ['390-dark']),
]
