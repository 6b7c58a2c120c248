import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import type { AdminUsersPage } from '#shared/schemas/admin.ts'
import { loseSession } from './browser.ts'
import { until } from './wait.ts'

/** The demo network's known dealers; the password is the one that `npm start` prints. */
const accounts = {
  dana: 'dana@torresauto.example',
  marcus: 'marcus@webbbros.example',
  elena: 'elena@parkway.example',
  admin: 'admin@lanewire.example',
  ops: 'ops@lanewire.example',
}
const demoPassword = 'lanewire-demo-2026'

interface PageOptions {
  width?: number
  height?: number
  theme?: 'light' | 'dark'
  /** On a screen that is touched. */
  hasTouch?: boolean
  /** The content security policy holds, as everywhere outside of tests: axe cannot be injected. */
  underPolicy?: boolean
}

const atADesk = { width: 1440, height: 900, theme: 'light', hasTouch: false, underPolicy: false } as const

export interface DealerPage {
  context: BrowserContext
  page: Page
  /** Errors of the console, each with the address that it names. */
  errors: string[]
  /**
   * Leaves the page to the next one of the file, with nothing in it but what the browser has loaded of the app: other tabs are closed. After
   * scripts that change what the page does, or a clock, which stay in it, the context is closed instead.
   */
  leave: () => Promise<void>
}

/** Cookies of earlier sign-ins, by product and account: to check a password takes as long as to load a page. */
const sessions = new Map<string, Parameters<BrowserContext['addCookies']>[0]>()

/** Signs in by the session of an earlier context where it is still open, otherwise with the password. */
async function logIn(context: BrowserContext, url: string, who: keyof typeof accounts): Promise<void> {
  const kind = `${who} at ${url}`
  await context.addCookies(sessions.get(kind) ?? [])
  if (sessions.has(kind) && (await context.request.get('/api/auth/me')).ok()) return
  await context.clearCookies()
  const answer = await context.request.post('/api/auth/login', {
    data: { email: accounts[who], password: demoPassword },
    headers: { origin: url },
  })
  if (!answer.ok()) throw new Error(`${who} could not sign in: ${answer.status()} ${await answer.text()}`)
  sessions.set(kind, await context.cookies())
}

function newContext(browser: Browser, url: string, options: PageOptions): Promise<BrowserContext> {
  const { width, height, theme, hasTouch, underPolicy } = { ...atADesk, ...options }
  return browser.newContext({
    baseURL: url,
    viewport: { width, height },
    colorScheme: theme,
    hasTouch,
    // What moves is drawn again and again, by a machine that has better things to do.
    reducedMotion: 'reduce',
    // axe is injected by tests; the policy itself has tests of its own.
    bypassCSP: !underPolicy,
    serviceWorkers: 'block',
  })
}

/** A browser of its own in which this dealer is signed in, and has no page open yet. */
export async function signIn(
  browser: Browser,
  url: string,
  who: keyof typeof accounts,
  options: PageOptions = {},
): Promise<BrowserContext> {
  const context = await newContext(browser, url, options)
  await logIn(context, url, who)
  return context
}

/**
 * Pages that were left, by the address of their product and what a context cannot change. To load the app there costs a third of what it does
 * in a new browser.
 */
const left = new Map<string, DealerPage[]>()

/** In the page, without the app. */
async function forgetAll(): Promise<void> {
  localStorage.clear()
  sessionStorage.clear()
  const databases = await indexedDB.databases()
  await Promise.all(
    databases.map(
      ({ name = '' }) =>
        new Promise<void>((resolve, reject) => {
          const deletion = indexedDB.deleteDatabase(name)
          deletion.addEventListener('success', () => resolve())
          deletion.addEventListener('error', () => reject(deletion.error))
        }),
    ),
  )
}

/** The errors of the console, without those that a test brings about on purpose and names. */
export const unexplained = ({ errors }: Pick<DealerPage, 'errors'>, ...expected: RegExp[]): string[] =>
  errors.filter((error) => !expected.some((one) => one.test(error)))

/** A page of its own in which nobody is signed in, and the app is not open yet. */
export async function openVisitor(browser: Browser, url: string, options: PageOptions = {}): Promise<DealerPage> {
  const { width, height, theme, hasTouch, underPolicy } = { ...atADesk, ...options }
  const kind = [url, hasTouch, underPolicy].join()
  const known = left.get(kind)?.pop()
  if (known) {
    await known.page.setViewportSize({ width, height })
    await known.page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce', forcedColors: null })
    known.errors.length = 0
    return known
  }
  const context = await newContext(browser, url, options)
  const page = await context.newPage()
  const errors: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(`${message.text()} ${message.location().url}`)
  })
  page.on('pageerror', (error) => errors.push(error.message))
  const leave = async () => {
    for (const one of [page, context]) await one.unrouteAll({ behavior: 'ignoreErrors' })
    for (const tab of context.pages()) if (tab !== page) await tab.close()
    await loseSession(page)
    await page.evaluate(forgetAll)
    left.set(kind, [...(left.get(kind) ?? []), dealer])
  }
  const dealer = { context, page, errors, leave }
  return dealer
}

/** The same of a dealer, who is signed in. */
export async function openDealer(
  browser: Browser,
  url: string,
  who: keyof typeof accounts,
  options: PageOptions = {},
): Promise<DealerPage> {
  const dealer = await openVisitor(browser, url, options)
  await logIn(dealer.context, url, who)
  return dealer
}

/**
 * Another dealer's session takes the place of the one in this browser, as by a sign-in in another tab. It is there before the last one
 * ends: who is told of an end asks at once who is there now.
 */
export async function changeDealer(
  browser: Browser,
  url: string,
  context: BrowserContext,
  who: keyof typeof accounts,
): Promise<void> {
  const cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ')
  const elsewhere = await signIn(browser, url, who)
  await context.addCookies(await elsewhere.cookies())
  await elsewhere.close()
  const headers = { origin: url, cookie, 'content-type': 'application/json' }
  const answer = await fetch(`${url}/api/auth/logout`, { method: 'POST', headers, body: '{}' })
  if (!answer.ok) throw new Error(`the last session did not end: ${answer.status}`)
}

/** The next one can sign in: the server has heard that this browser is out. */
export async function loggedOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Login', exact: true }).waitFor()
  await page.waitForFunction(() => localStorage.getItem('lanewire.signed-out') === null)
}

/** Logs out by the menu: nothing of the app has to be loaded anew. */
export async function logOut(page: Page): Promise<void> {
  const shown = (name: string | RegExp) => page.getByRole('button', { name }).filter({ visible: true })
  // In the account's menu, or in what a phone has instead, which closes when the page is drawn anew.
  const item = page.getByRole('menuitem', { name: 'Log Out' }).or(shown('Log Out'))
  await pressUntil(page.getByRole('button', { name: 'Login', exact: true }), async () => {
    if (!(await item.isVisible())) await shown(/^Account: |^More/).click(pressMs)
    await item.click(pressMs)
  })
  await loggedOut(page)
}

/**
 * A switch that cuts the page's live connection and lets it through again, which is a WebSocket and nothing else: so it can be cut
 * and written into. HTTP calls go on. Set up before the page is opened.
 */
export async function liveSwitch({ context }: Pick<DealerPage, 'context'>) {
  let cut = false
  let gate = Promise.resolve()
  let build: string | undefined
  const waiting = new Set<() => void>()
  const open = new Set<{ close: () => Promise<void> }>()
  const deaf = new WeakSet()
  await context.routeWebSocket(/socket\.io/, async (socket) => {
    await gate
    if (cut) return void socket.close()
    const server = socket.connectToServer()
    server.onMessage((text) => {
      if (deaf.has(socket)) return
      socket.send(build === undefined ? text : text.toString().replace(/"build":"[^"]*"/, `"build":"${build}"`))
      if (text.includes('"hello"')) for (const tell of waiting) tell()
    })
    open.add(socket)
    socket.onClose(() => void open.delete(socket))
  })
  // By a route the page would load all of its files without a cache.
  const withoutPolling = async (page: Page) => {
    const session = await context.newCDPSession(page)
    await session.send('Network.enable')
    await session.send('Network.setBlockedURLs', { urls: ['*/socket.io/*transport=polling*'] })
  }
  context.on('page', (page) => void withoutPolling(page).catch(() => undefined))
  await Promise.all(context.pages().map(withoutPolling))
  return {
    /** The next `hello` to a page: only then is it connected, and knows which build it talks to. */
    hello: () => new Promise<void>((resolve) => void waiting.add(resolve)),
    async cut() {
      cut = true
      await Promise.all([...open].map((socket) => socket.close()))
      open.clear()
    },
    restore() {
      cut = false
    },
    /** New connections take their time from now on, until what is answered is called. */
    hold() {
      let open = () => {}
      gate = new Promise((resolve) => (open = resolve))
      return () => open()
    },
    /** Connections stay open and bring nothing any more, as after a sleep; new ones work. */
    deafen() {
      for (const socket of open) deaf.add(socket)
    },
    /** From now on the server's `hello` names another build, as after a deploy. */
    deploy(name: string) {
      build = name
    },
  }
}

/** The time of one try to press, and of one look for its effect, before the next try. The tries together have the time of any wait. */
export const pressMs = { timeout: 5_000 }

/**
 * Presses until it is seen what that leads to: a press that comes as the page is drawn anew is lost, and of a price that
 * has just moved the first one is refused.
 */
export async function pressUntil(seen: Locator, press: () => Promise<unknown>): Promise<void> {
  const shown = seen.filter({ visible: true }).first()
  const isShown = () =>
    shown.waitFor(pressMs).then(
      () => true,
      () => false,
    )
  await until('what a press leads to', async () => {
    if (await shown.isVisible()) return true
    await press().catch(() => undefined)
    return isShown()
  })
}

/** The same of a bid, which is chosen first and then confirmed. */
export async function bidUntil(
  seen: Locator,
  confirm: Locator,
  press: { bid: () => Promise<unknown>; confirm: () => Promise<unknown> },
): Promise<void> {
  await pressUntil(seen, async () => {
    await pressUntil(confirm.or(seen), press.bid)
    await press.confirm()
  })
}

/** An admin lets this account make API keys, whatever its plan. */
export async function allowApiAccess(browser: Browser, url: string, email: string): Promise<void> {
  const context = await signIn(browser, url, 'admin')
  const found = await context.request.get(`/api/admin/users?q=${encodeURIComponent(email)}`)
  const [account] = ((await found.json()) as AdminUsersPage).users
  const grant = { data: { granted: true }, headers: { origin: url } }
  const answer = await context.request.post(`/api/admin/users/${account?.id}/api-access`, grant)
  if (!answer.ok()) throw new Error(`API access was not granted: ${answer.status()}`)
  await context.close()
}

/** An admin switches "Posting and bidding need a plan". */
export async function askForPlans(browser: Browser, url: string, planRequired: boolean): Promise<void> {
  const context = await signIn(browser, url, 'admin')
  const change = { data: { planRequired }, headers: { origin: url } }
  const answer = await context.request.patch('/api/admin/network', change)
  if (!answer.ok()) throw new Error(`the rule was not changed: ${answer.status()}`)
  await context.close()
}
