/// <reference lib="dom" />
/**
 * In which states `npm run screens` shows a screen. One means for all of them: what the server answers is changed on its way to the
 * browser, or kept from it. Moments are moved, so that a demo made on any day looks as one made today does at `NOON`.
 */

/** @typedef {import('playwright-core').BrowserContext} Context */
/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('playwright-core').Request} Request */
/** @typedef {import('playwright-core').Route} Route */
/** @typedef {(typeof STATES)[number]} StateName */
/** @typedef {(value: unknown, key: string, depth: number) => unknown} Change of a value in an answer; `depth` counts lists around it */

export const STATES = /** @type {const} */ (['usual', 'empty', 'loading', 'error', 'offline', 'long', 'many'])

/** What the browser's clock says on every picture. */
export const NOON = new Date('2026-03-04T12:00:00.000Z')

/** Without these nobody is there to see anything. */
const ALWAYS = /^\/api\/auth\/(me|status)$/
/** What a look alone tells the server: it would count, and the next picture would be another one. */
const COUNTED = /\/(view|impressions|read)$/
const QUIET_MS = 250
const SKELETON_MS = 500
const PATIENCE_MS = 5_000
const STEP_MS = 50
const DAY_MS = 86_400_000
const MANY = 60
const MANY_IN_TOTAL = 1_234

/** A number that is nobody's count, but somebody's choice. */
const CHOSEN = /^(loadSize|.*Limit|.*Ms|.*Days)$/
const COUNTS = /^(total|unread|count|completed|.*Count|.*Total)$/
const NAMES = /^(name|firstName|lastName|dealershipName|city|make|model|trim|label)$/
const TITLES = /^(title|subject)$/
const TEXTS = /^(description|content|message|text|body|reason)$/
const FIGURES = /^(price|amount|mileage|.*Amount|.*Price|total|count|views|likes)$/
const LONG_NAME = 'Maximiliana-Alexandrina Wolfeschlegelsteinhausenbergerdorff'
const LONG_TEXT =
  ' A sentence that goes on for longer than anybody had thought of when the box was drawn, and then some more.'

/** @type {Change} */
const emptied = (value, key) => {
  if (Array.isArray(value)) return []
  return typeof value === 'number' && !CHOSEN.test(key) ? 0 : value
}

/** @type {Change} */
const lengthened = (value, key) => {
  if (typeof value === 'number' && FIGURES.test(key)) return 9_999_999
  if (typeof value !== 'string' || value === '') return value
  if (NAMES.test(key)) return LONG_NAME
  if (TITLES.test(key)) return `${value} ${LONG_NAME} ${LONG_NAME}`
  return TEXTS.test(key) ? value + LONG_TEXT.repeat(8) : value
}

/** @param {unknown} one @returns {one is { id: string }} */
const hasId = (one) => typeof one === 'object' && one !== null && 'id' in one && typeof one.id === 'string'

/** @type {Change} */
const multiplied = (value, key, depth) => {
  if (typeof value === 'number' && COUNTS.test(key)) return MANY_IN_TOTAL
  if (!Array.isArray(value) || depth > 0 || !value.every(hasId)) return value
  const copies = value.length === 0 ? 0 : Math.ceil(MANY / value.length)
  return Array.from({ length: copies }, (_none, copy) =>
    value.map((one) => (copy === 0 ? one : { ...one, id: one.id.slice(0, -4) + copy.toString(16).padStart(4, '0') })),
  ).flat()
}

/** @type {Partial<Record<StateName, Change>>} */
const CHANGES = { empty: emptied, long: lengthened, many: multiplied }

/** Of a list that is paged. @type {Partial<Record<StateName, string>>} */
const TOTALS = { empty: '0', many: String(MANY_IN_TOTAL) }

/** @param {unknown} value @param {Change} change @returns {unknown} */
function changed(value, change, key = '', depth = 0) {
  const own = change(value, key, depth)
  if (Array.isArray(own)) return own.map((one) => changed(one, change, '', depth + 1))
  if (typeof own !== 'object' || own === null) return own
  return Object.fromEntries(Object.entries(own).map(([name, one]) => [name, changed(one, change, name, depth)]))
}

const MOMENT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z/g
const DAY = /"\d{4}-\d\d-\d\d"/g
const SERVER_CLOCK = /"(serverNow|serverTime)":"[^"]*"/g

/** @param {number} ms */
const dayNumber = (ms) => Math.floor(ms / DAY_MS)

/** Every moment and day of a text. @param {string} text @param {number} byMs */
function moved(text, byMs) {
  const byDays = dayNumber(NOON.getTime()) - dayNumber(NOON.getTime() - byMs)
  const moveDay = (/** @type {string} */ day) =>
    `"${new Date(Date.parse(day.slice(1, -1)) + byDays * DAY_MS).toISOString().slice(0, 10)}"`
  return text
    .replaceAll(MOMENT, (moment) => new Date(Date.parse(moment) + byMs).toISOString())
    .replaceAll(DAY, moveDay)
    .replaceAll(SERVER_CLOCK, `"$1":"${NOON.toISOString()}"`)
}

/** What the page asks about a moment, about the one that the server knows. @param {string} address @param {number} byMs */
function movedBack(address, byMs) {
  const url = new URL(address)
  const moments = [...url.searchParams].filter(([, value]) => value.search(MOMENT) === 0)
  for (const [name, value] of moments) url.searchParams.set(name, moved(value, -byMs))
  return url.href
}

const refusal = {
  error: { code: 'unavailable', message: 'The database is away. Try again in a moment.', requestId: '' },
}

/** The page itself, its fonts and the pictures in sight are there, and nothing says that it is on its way. In the page. */
function isDrawn() {
  const isSeen = (/** @type {Element} */ element) => {
    const { top, bottom, width } = element.getBoundingClientRect()
    return width > 0 && bottom > 0 && top < innerHeight
  }
  const awaited = [...document.images].filter((image) => !image.complete)
  return (
    document.querySelector('#main') !== null &&
    document.fonts.status === 'loaded' &&
    ![...awaited, ...document.querySelectorAll('[aria-busy="true"]')].some(isSeen)
  )
}

/** Says on the newest connection that something may have been missed. */
function createPrompt() {
  let tell = () => {}
  let greeted = () => {}
  const greeting = /** @type {Promise<void>} */ (new Promise((resolve) => (greeted = resolve)))
  return {
    hear(/** @type {{ send: (message: string) => void }} */ socket) {
      tell = () => socket.send('42["resync",{"jitterMs":0}]')
      greeted()
    },
    /** Makes a page ask for everything again when it is shown next, as after a fault of the server. @param {Page} page */
    async askAgain(page) {
      await greeting
      const asked = page.waitForResponse('**/api/auth/me')
      tell()
      await asked
    },
  }
}

/**
 * Stands between the pages of a context and the server.
 * @param {Context} context @param {number} byMs by how much moments are moved
 */
export async function intercept(context, byMs) {
  /** @type {StateName} */
  let state = 'usual'
  let touched = 0
  /** @type {Set<Request>} */
  const underWay = new Set()
  /** How to cut each live connection. @type {Set<() => Promise<unknown>>} */
  const sockets = new Set()
  const { hear, askAgain } = createPrompt()

  /** @param {Route} route @param {Change | undefined} change */
  const answer = async (route, change) => {
    const response = await route.fetch({ url: movedBack(route.request().url(), byMs) })
    const { 'content-length': _length, 'content-encoding': _encoding, ...headers } = response.headers()
    if (!headers['content-type']?.includes('application/json')) return route.fulfill({ response })
    const text = moved(await response.text(), byMs)
    if (!change || !response.ok()) return route.fulfill({ status: response.status(), headers, body: text })
    if (state in TOTALS && 'x-total-count' in headers) headers['x-total-count'] = TOTALS[state] ?? ''
    if (state === 'empty') delete headers['link']
    return route.fulfill({ headers, body: JSON.stringify(changed(JSON.parse(text), change)) })
  }

  /** @param {Route} route */
  const answerRead = async (route) => {
    if (state === 'error') return route.fulfill({ status: 503, json: refusal })
    // Never answered: the page is left before.
    return state === 'loading' ? void underWay.delete(route.request()) : answer(route, CHANGES[state])
  }

  context.on('request', (request) => void underWay.add(request))
  // What a page asks for as it is left has no end.
  context.on('page', (page) => void page.on('close', () => underWay.clear()))
  context.on('requestfinished', (request) => void underWay.delete(request))
  context.on('requestfailed', (request) => void underWay.delete(request))
  await context.route('**/api/**', async (route) => {
    const request = route.request()
    const { pathname } = new URL(request.url())
    const reads = request.method() === 'GET'
    if (state === 'offline') return route.abort()
    if (!reads && COUNTED.test(pathname)) return route.fulfill({ status: 204 })
    // Pictures and files are no answers to change.
    if (reads && pathname.startsWith('/api/objects/')) return route.continue()
    // A page that is gone hears nothing any more.
    if (!reads || (state !== 'long' && ALWAYS.test(pathname))) return answer(route, undefined).catch(() => undefined)
    touched += 1
    return answerRead(route).catch(() => undefined)
  })
  await context.route('**/socket.io/**', (route) => (state === 'offline' ? route.abort() : route.continue()))
  await context.routeWebSocket(/socket\.io/, (socket) => {
    if (state === 'offline') return void socket.close()
    const server = socket.connectToServer()
    server.onMessage((message) => {
      socket.send(typeof message === 'string' ? moved(message, byMs) : message)
      if (message.includes('"hello"')) hear(socket)
    })
    sockets.add(() => Promise.allSettled([socket.close(), server.close()]))
  })

  return {
    /** From now on. @param {StateName} next */
    async enter(next) {
      state = next
      touched = 0
      if (next !== 'offline') return
      for (const cut of sockets) await cut()
      sockets.clear()
    },
    askAgain,
    /** Whether the state has made a difference to anything that was asked for since. */
    isFelt: () => touched > 0,
    /** Waits until the page is as it stays. @param {Page} page */
    async settle(page) {
      const end = Date.now() + PATIENCE_MS
      for (let quietMs = 0; quietMs < QUIET_MS && Date.now() < end; quietMs += STEP_MS) {
        if (underWay.size > 0) quietMs = 0
        await page.waitForTimeout(STEP_MS)
      }
      if (state === 'loading') await page.waitForTimeout(SKELETON_MS)
      else await page.waitForFunction(isDrawn, undefined, { timeout: PATIENCE_MS }).catch(() => undefined)
    },
    /** Waits until a page says that its connection is gone; whether it does. @param {Page} page */
    saysOffline: (page) =>
      page
        .getByText(/^Reconnecting/)
        .first()
        .waitFor({ timeout: PATIENCE_MS })
        .then(() => true)
        .catch(() => false),
    /** Before another page is opened. */
    forget() {
      underWay.clear()
      sockets.clear()
    },
  }
}
