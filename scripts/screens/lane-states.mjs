/** Every state of a Lane pane, for `npm run screens`. Fakes the server's responses for the fixed time `NOON`. */
import { NOON } from './states.mjs'

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('playwright-core').Locator} Locator */
/** @typedef {import('./list.mjs').Screen} Screen */
/** @typedef {Record<string, unknown>} About */

/** @param {number} seconds from `NOON` */
const at = (seconds) => new Date(NOON.getTime() + seconds * 1_000).toISOString()

const ME = 1
const STEP = 500
const HOUR = 3_600

/** @param {number} count @param {number} amount @param {number[]} bidders */
const bidsUpTo = (count, amount, bidders) =>
  Array.from({ length: Math.min(count, 6) }, (_none, index) => ({
    seq: 100 - index,
    no: count - index,
    amount: amount - index * STEP,
    bidder: bidders[index % bidders.length],
    auto: index === 0 && bidders[0] === ME,
    at: at(-3 - index * 11),
  }))

/** @param {number} amount @param {number} count @param {number[]} bidders leader first @param {number} ends seconds until the end */
const running = (amount, count, bidders, ends) => ({
  amount,
  minNext: amount + STEP,
  bidCount: count,
  leader: bidders[0],
  startsAt: at(-600),
  endsAt: at(ends),
  bids: bidsUpTo(count, amount, bidders),
})

const bidder = { number: ME, maximum: null }

/** How each state differs from a running auction without bids. @type {Record<string, About & { you?: About }>} */
const STATES = {
  winning: { ...running(25_000, 18, [ME, 4], 72), reserve: 'met', you: { number: ME, maximum: 27_000 } },
  outbid: { ...running(23_500, 31, [9, ME], 27), reserve: 'not_met', you: bidder },
  'another-leads': { ...running(19_000, 9, [2, 5], 278), reserve: 'not_met' },
  'no-bids': {},
  coming: { startsAt: at(185), endsAt: at(185 + HOUR), you: { preset: 21_000 } },
  closing: { ...running(22_000, 12, [3, ME], -1), reserve: 'met', you: bidder },
  won: { ...running(26_100, 22, [ME, 3], -70), status: 'sold', reserve: 'met', you: { number: ME, maximum: 27_000 } },
  lost: { ...running(26_100, 22, [3, ME], -20), status: 'sold', reserve: 'met', you: bidder },
  'deciding-mine': { ...running(21_500, 14, [ME, 1], -HOUR), status: 'deciding', reserve: 'not_met', you: bidder },
  deciding: { ...running(21_500, 14, [6, 2], -90), status: 'deciding', reserve: 'not_met' },
  'no-sale': { status: 'no_sale', endsAt: at(-30), reserve: 'not_met' },
  'ended-by-seller': { status: 'no_sale', endReason: 'Sold on the lot this morning', endsAt: at(-30) },
  removed: {},
  own: { ...running(24_500, 27, [2, 5], 640), reserve: 'not_met', you: { isSeller: true } },
  armed: { ...running(23_500, 31, [9, ME], 27), reserve: 'not_met', you: bidder },
  placing: { ...running(19_000, 9, [2, 5], 278), reserve: 'none' },
  extended: { ...running(23_500, 31, [9, ME], 27), reserve: 'not_met', you: bidder },
}

const SHEETS = [
  ['winning', 'armed', 'another-leads', 'won', 'coming', 'deciding-mine'],
  ['no-bids', 'placing', 'closing', 'lost', 'deciding', 'no-sale'],
  ['ended-by-seller', 'removed', 'own', 'outbid', 'extended', 'winning'],
]

/** A page remembers the auctions it has shown, so each picture needs its own ids. @param {string} state @param {number} picture */
const idOf = (state, picture) =>
  `00000000-0000-4000-8${String(picture).padStart(3, '0')}-${String(Object.keys(STATES).indexOf(state)).padStart(12, '0')}`

const numbers = { given: 0 }
const nextPicture = () => (numbers.given += 1)

/** @param {Page} page @returns {Promise<Record<string, any>[]>} the vehicles of all lists of the demo's Lane */
async function readVehicles(page) {
  const lists = await Promise.all(
    ['running', 'coming', 'ended'].map(async (kind) => {
      const answer = await page.context().request.get(`/api/lane/run?kind=${kind}`)
      return (await answer.json()).rows
    }),
  )
  return lists.flat()
}

const MORE = 9_970_000
/** Replaces names and amounts with long ones. @template {Record<string, any>} Row @param {Row} row @returns {Row} */
function asLong(row) {
  const more = (/** @type {number | null} */ amount) => (amount === null ? null : amount + MORE)
  const { auction, you } = row
  const sums = { amount: more(auction.amount), minNext: more(auction.minNext), startAmount: more(auction.startAmount) }
  const bids = auction.bids.map((/** @type {Record<string, any>} */ bid) => ({ ...bid, amount: more(bid['amount']) }))
  const name = { make: 'Mercedes-Benz', model: 'Sprinter 3500 Extended', trim: 'High Roof 170-in. Wheelbase Crew Van' }
  const own = { ...you, maximum: more(you.maximum), preset: more(you.preset) }
  return { ...row, ...name, city: 'Rancho Santa Margarita', auction: { ...auction, ...sums, bids }, you: own }
}

/** @param {string} state @param {number} picture @param {Record<string, any>} vehicle */
function rowOf(state, picture, vehicle) {
  const { you = {}, ...about } = STATES[state] ?? {}
  const own = { isSeller: false, number: null, maximum: null, preset: null, ...you }
  const auction = {
    ...vehicle['auction'],
    postId: idOf(state, picture),
    seq: 100,
    status: 'open',
    endReason: null,
    amount: null,
    startAmount: 18_500,
    increment: STEP,
    minNext: 18_500,
    bidCount: 0,
    leader: null,
    reserve: 'none',
    startsAt: at(-60),
    endsAt: at(900),
    hardEndsAt: at(HOUR),
    bids: [],
    serverNow: NOON.toISOString(),
    ...about,
  }
  return { ...vehicle, postId: idOf(state, picture), auction, you: { ...own, watching: state === 'coming' } }
}

const day = { limit: 250_000, used: 136_900, won: 38_900, committed: 91_500, headroom: 6_500 }

/** @param {Page} page @param {number} picture @param {string[]} states @param {About} [about] fields of the Lane */
async function fake(page, picture, states, { isLong = false, panes = 6, buyFee = null, ...about } = {}) {
  const vehicles = await readVehicles(page)
  const plain = states.map((state, index) => {
    const row = rowOf(state, picture, vehicles[index % vehicles.length] ?? {})
    return { ...row, auction: { ...row.auction, buyFee } }
  })
  const rows = isLong ? plain.map(asLong) : plain
  const open = rows.filter(({ auction }) => auction.status === 'open')
  const coming = open.filter(({ auction }) => auction.startsAt > NOON.toISOString())
  const lane = {
    serverNow: NOON.toISOString(),
    running: open.filter((row) => !coming.includes(row)),
    coming,
    behind: { running: null, coming: null },
    mine: rows.filter(({ you }) => you.number !== null),
    pins: rows.map(({ postId }, index) => ({ postId, slot: index + 1 })),
    pinned: rows,
    counts: { running: open.length - coming.length, coming: coming.length, watching: 1, selling: 1 },
    wonToday: { count: 2, amount: day.won },
    day,
    next: coming[0]?.auction.startsAt ?? null,
    ...about,
  }
  await page.route('**/api/lane', (route) => route.fulfill({ json: lane }))
  await page.route('**/api/lane/pins', (route) => route.fulfill({ json: route.request().postDataJSON() }))
  await page.route('**/api/auth/me', async (route) => {
    const response = await route.fetch()
    const me = await response.json()
    return route.fulfill({ response, json: { ...me, settings: { ...me.settings, lane: { panes } } } })
  })
  const isExtended = new Set()
  await page.route('**/api/inventory/*/auction', (route) => {
    const row = rows.find(({ postId }) => route.request().url().includes(postId))
    if (!row || row.postId === idOf('removed', picture)) return route.fulfill({ status: 404, json: gone })
    const later = isExtended.has(row.postId) ? { seq: 101, endsAt: at(30) } : {}
    return route.fulfill({ json: { ...row.auction, ...later, you: row.you, seller: null } })
  })
  await page.route('**/api/inventory/*/bids', (route) => {
    // Never respond to bids in other states, so that the page shows the pending state.
    if (!route.request().url().includes(idOf('extended', picture))) return
    isExtended.add(idOf('extended', picture))
    return route.fulfill({ status: 409, json: tooLow })
  })
}

const gone = { error: { code: 'not_found', message: 'This auction is no longer available', requestId: '' } }
const times = { endsAt: at(30), serverNow: NOON.toISOString() }
const details = { code: 'TOO_LOW', amount: 23_500, minNext: 24_000, ...times }
const tooLow = { error: { code: 'conflict', message: 'Bid $24,000 or more', details, requestId: '' } }

/** Clicks that put a pane into a state. @type {Record<string, (place: Locator) => Promise<void>>} */
const PRESSES = {
  armed: (place) =>
    place
      .getByRole('button', { name: /^Bid \$/ })
      .first()
      .click(),
  placing: async (place) => {
    await place
      .getByRole('button', { name: /^Bid \$/ })
      .first()
      .click()
    await place.getByRole('button', { name: /^Confirm/ }).click()
  },
  extended: async (place) => {
    await PRESSES['placing']?.(place)
    await place.getByText(/^Extended/).waitFor()
  },
}

/** @param {Page} page @param {string[]} states */
async function pressAll(page, states) {
  // Arm a bid last, because it stays armed only while it has the focus.
  for (const state of states.toSorted((a, b) => Number(a === 'armed') - Number(b === 'armed'))) {
    const place = page.getByRole('region', { name: `Position ${states.indexOf(state) + 1}: ` })
    await PRESSES[state]?.(place)
  }
}

/** @param {string} name @param {string[]} states @param {About} [about] @returns {Screen} */
const sheet = (name, states, about) => {
  const picture = nextPicture()
  return {
    path: '/lane',
    name: `lane-${name}`,
    only: 'wide',
    prepare: (page) => fake(page, picture, states, about),
    open: (page) => pressAll(page, states),
  }
}

/** @param {string} name @param {string} state @param {About} [about] @returns {Screen} */
const onPhone = (name, state, about) => {
  const picture = nextPicture()
  const states = [...new Set([state, 'winning', 'outbid', 'won', 'coming', 'deciding-mine'])]
  return {
    path: `/lane?post=${idOf(state, picture)}`,
    name: `lane-${name}`,
    only: 'narrow',
    prepare: (page) => fake(page, picture, states, about),
    open: async (page) => PRESSES[state]?.(page.locator('body')),
  }
}

const overLimit = { day: { ...day, used: 249_500 } }
const buyFee = { flat: 150, percent: 1.5 }
const noCounts = { running: 0, coming: 1, watching: 0, selling: 0 }
const long = {
  isLong: true,
  buyFee,
  day: { limit: 99_999_999, used: 9_999_500, won: 5_000_000, committed: 4_000_000, headroom: 999_500 },
}
const nothingRuns = { running: [], mine: [], pins: [], pinned: [], counts: noCounts }

/** @type {Screen[]} */
export const laneScreens = [
  ...SHEETS.map((states, index) => sheet(`states-${index + 1}`, states)),
  sheet('fee', ['winning', 'outbid', 'another-leads', 'won', 'coming', 'own'], { buyFee }),
  sheet('four', ['winning', 'armed', 'outbid', 'deciding-mine'], { panes: 4 }),
  sheet('two', ['winning', 'outbid'], { panes: 2 }),
  sheet('over-limit', ['another-leads', 'outbid', 'winning', 'no-bids'], overLimit),
  sheet('long', ['winning', 'armed', 'another-leads', 'won', 'coming', 'lost'], long),
  ...['winning', 'armed', 'coming'].map((state) => onPhone(`long-${state}`, state, long)),
  ...Object.keys(STATES).map((state) => onPhone(state, state)),
  ...['winning', 'outbid', 'won'].map((state) => onPhone(`fee-${state}`, state, { buyFee })),
  onPhone('over-limit', 'another-leads', overLimit),
  { path: '/lane', name: 'lane-none-runs', prepare: (page) => fake(page, nextPicture(), ['coming'], nothingRuns) },
]
