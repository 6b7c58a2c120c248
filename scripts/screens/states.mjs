/// <reference lib="dom" />
/** Changes responses on their way to the browser. Shifts timestamps, so that every demo looks as if it had been created at `NOON`. */

/** @typedef {import('playwright-core').BrowserContext} Context */
/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('playwright-core').Request} Request */
/** @typedef {import('playwright-core').Route} Route */
/** @typedef {(typeof STATES)[number]} StateName */
/** @typedef {(value: unknown, key: string, depth: number) => unknown} Change of a value; `depth` is the number of lists around it */

export const STATES = /** @type {const} */ (['usual', 'empty', 'loading', 'error', 'offline', 'long', 'many'])

/** The browser's fixed time in every picture. */
export const NOON = new Date('2026-03-04T12:00:00.000Z')

/** Responses whose content changes only in the state `long`, because signing in depends on them. */
const ALWAYS = /^\/api\/auth\/(me|status)$/
/** Requests that count views or mark items as read. They are blocked, because they would change the numbers in the next picture. */
const COUNTED = /\/(view|impressions|read)$/
const QUIET_MS = 250
const SKELETON_MS = 500
const PATIENCE_MS = 5_000
const STEP_MS = 50
const DAY_MS = 86_400_000
const MANY = 60
const MANY_IN_TOTAL = 1_234

/** Names of numbers that are settings, not counts. */
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

/** @type {Partial<Record<StateName, string>>} */
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

/** Shifts every timestamp and date by `byMs`, but sets the server's clock to `NOON`. @param {string} text @param {number} byMs */
function moved(text, byMs) {
  const byDays = dayNumber(NOON.getTime()) - dayNumber(NOON.getTime() - byMs)
  const moveDay = (/** @type {string} */ day) =>
    `"${new Date(Date.parse(day.slice(1, -1)) + byDays * DAY_MS).toISOString().slice(0, 10)}"`
  return text
    .replaceAll(MOMENT, (moment) => new Date(Date.parse(moment) + byMs).toISOString())
    .replaceAll(DAY, moveDay)
    .replaceAll(SERVER_CLOCK, `"$1":"${NOON.toISOString()}"`)
}

/** Shifts the timestamps in a request's URL back to the server's time. @param {string} address @param {number} byMs */
function movedBack(address, byMs) {
  const url = new URL(address)
  const moments = [...url.searchParams].filter(([, value]) => value.search(MOMENT) === 0)
  for (const [name, value] of moments) url.searchParams.set(name, moved(value, -byMs))
  return url.href
}

const refusal = {
  error: { code: 'unavailable', message: 'The database is away. Try again in a moment.', requestId: '' },
}

/** Runs in the page. True once the page, its fonts and its visible images have loaded and nothing is busy. */
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

function createResync() {
  let requestResync = () => {}
  let greeted = () => {}
  const greeting = /** @type {Promise<void>} */ (new Promise((resolve) => (greeted = resolve)))
  return {
    onSocket(/** @type {{ send: (message: string) => void }} */ socket) {
      requestResync = () => socket.send('42["resync",{"jitterMs":0}]')
      greeted()
    },
    /** Makes a page refetch all its data. @param {Page} page */
    async refetch(page) {
      await greeting
      const asked = page.waitForResponse('**/api/auth/me')
      requestResync()
      await asked
    },
  }
}

/** Returns a live set of the requests that have no response yet. @param {Context} context */
function watchRequests(context) {
  /** @type {Set<Request>} */
  const underWay = new Set()
  context.on('request', (request) => void underWay.add(request))
  // The requests of a closed page never finish.
  context.on('page', (page) => void page.on('close', () => underWay.clear()))
  context.on('requestfinished', (request) => void underWay.delete(request))
  context.on('requestfailed', (request) => void underWay.delete(request))
  return underWay
}

/**
 * @param {Context} context @param {number} byMs
 * @param {{ isOffline: () => boolean, onSocket: ReturnType<typeof createResync>['onSocket'] }} parts
 */
async function relaySockets(context, byMs, { isOffline, onSocket }) {
  /** @type {Set<() => Promise<unknown>>} */
  const sockets = new Set()
  await context.routeWebSocket(/socket\.io/, (socket) => {
    if (isOffline()) return void socket.close()
    const server = socket.connectToServer()
    server.onMessage((message) => {
      socket.send(typeof message === 'string' ? moved(message, byMs) : message)
      if (message.includes('"hello"')) onSocket(socket)
    })
    sockets.add(() => Promise.allSettled([socket.close(), server.close()]))
  })
  return sockets
}

/** Changes the traffic between the pages of a context and the server. @param {Context} context @param {number} byMs shift of timestamps */
export async function intercept(context, byMs) {
  /** @type {StateName} */
  let state = 'usual'
  let touched = 0
  const underWay = watchRequests(context)
  const { onSocket, refetch } = createResync()

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
    // Do not respond, so that the page stays in the loading state.
    return state === 'loading' ? void underWay.delete(route.request()) : answer(route, CHANGES[state])
  }

  await context.route('**/api/**', async (route) => {
    const request = route.request()
    const { pathname } = new URL(request.url())
    const reads = request.method() === 'GET'
    if (state === 'offline') return route.abort()
    if (!reads && COUNTED.test(pathname)) return route.fulfill({ status: 204 })
    // Leave pictures and files unchanged.
    if (reads && pathname.startsWith('/api/objects/')) return route.continue()
    // Ignore the error if the page was closed and cannot receive the response.
    if (!reads || (state !== 'long' && ALWAYS.test(pathname))) return answer(route, undefined).catch(() => undefined)
    touched += 1
    return answerRead(route).catch(() => undefined)
  })
  await context.route('**/socket.io/**', (route) => (state === 'offline' ? route.abort() : route.continue()))
  const sockets = await relaySockets(context, byMs, { isOffline: () => state === 'offline', onSocket })

  return {
    /** @param {StateName} next */
    async enter(next) {
      state = next
      touched = 0
      if (next !== 'offline') return
      for (const cut of sockets) await cut()
      sockets.clear()
    },
    refetch,
    isFelt: () => touched > 0,
    /** Waits until the page is stable. @param {Page} page */
    async settle(page) {
      const end = Date.now() + PATIENCE_MS
      for (let quietMs = 0; quietMs < QUIET_MS && Date.now() < end; quietMs += STEP_MS) {
        if (underWay.size > 0) quietMs = 0
        await page.waitForTimeout(STEP_MS)
      }
      if (state === 'loading') await page.waitForTimeout(SKELETON_MS)
      else await page.waitForFunction(isDrawn, undefined, { timeout: PATIENCE_MS }).catch(() => undefined)
    },
    /** Waits for the offline banner. Resolves to true if it appeared. @param {Page} page */
    showsOffline: (page) =>
      page
        .getByText(/^Reconnecting/)
        .first()
        .waitFor({ timeout: PATIENCE_MS })
        .then(() => true)
        .catch(() => false),
    forget() {
      underWay.clear()
      sockets.clear()
    },
  }
}
