import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import type { AdminUsersPage } from '#shared/schemas/admin.ts'
import { loseSession } from './browser.ts'
import { until } from './wait.ts'

/** Demo accounts. They share one password, which `npm start` also prints. */
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
  hasTouch?: boolean
  /** Enforces the content security policy, so axe cannot be injected into the page. */
  underPolicy?: boolean
  /** Allows the service worker, which most tests block. */
  withWorker?: boolean
}

const desktopDefaults = {
  width: 1440,
  height: 900,
  theme: 'light',
  hasTouch: false,
  underPolicy: false,
  withWorker: false,
} as const

export interface DealerPage {
  context: BrowserContext
  page: Page
  /** Console errors, each with the URL it refers to, and uncaught errors of the page. */
  errors: string[]
  /** Leaves the page for the next test to reuse. If the test installed scripts or a fake clock, close the context instead. */
  leave: () => Promise<void>
}

/** Session cookies by account and server. Reusing them skips the password check, which takes as long as loading a page. */
const sessions = new Map<string, Parameters<BrowserContext['addCookies']>[0]>()

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
  const { width, height, theme, hasTouch, underPolicy, withWorker } = { ...desktopDefaults, ...options }
  return browser.newContext({
    baseURL: url,
    viewport: { width, height },
    colorScheme: theme,
    hasTouch,
    // Disable animations, because they use CPU time.
    reducedMotion: 'reduce',
    // The content security policy would block axe. Other tests cover the policy.
    bypassCSP: !underPolicy,
    serviceWorkers: withWorker ? 'allow' : 'block',
  })
}

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

/** Pages to reuse, by server and by the options that cannot change later. Reusing a page takes a third as long as opening one. */
const left = new Map<string, DealerPage[]>()

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

export const unexplained = ({ errors }: Pick<DealerPage, 'errors'>, ...expected: RegExp[]): string[] =>
  errors.filter((error) => !expected.some((one) => one.test(error)))

/** Opens a page without a session and without loading the app. */
export async function openVisitor(browser: Browser, url: string, options: PageOptions = {}): Promise<DealerPage> {
  const { width, height, theme, hasTouch, underPolicy } = { ...desktopDefaults, ...options }
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

/** Replaces the session, as signing in from another tab would. The old session ends last, because clients check the session at once. */
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

/** Waits until the server has processed the sign-out, so that another dealer can sign in. */
export async function loggedOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Login', exact: true }).waitFor()
  await page.waitForFunction(() => localStorage.getItem('lanewire.signed-out') === null)
}

export async function logOut(page: Page): Promise<void> {
  const shown = (name: string | RegExp) => page.getByRole('button', { name }).filter({ visible: true })
  // Log Out is in the account menu, or on a phone in the More menu, which closes when it rerenders.
  const item = page.getByRole('menuitem', { name: 'Log Out' }).or(shown('Log Out'))
  await pressUntil(page.getByRole('button', { name: 'Login', exact: true }), async () => {
    if (!(await item.isVisible())) await shown(/^Account: |^More/).click(pressMs)
    await item.click(pressMs)
  })
  await loggedOut(page)
}

/** Lets a test cut, delay or silence the live connection of a page, but not HTTP. Call it before opening the page. */
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
  // Block polling through the DevTools protocol, because a Playwright route would disable the page's cache.
  const withoutPolling = async (page: Page) => {
    const session = await context.newCDPSession(page)
    await session.send('Network.enable')
    await session.send('Network.setBlockedURLs', { urls: ['*/socket.io/*transport=polling*'] })
  }
  context.on('page', (page) => void withoutPolling(page).catch(() => undefined))
  await Promise.all(context.pages().map(withoutPolling))
  return {
    /** Resolves when the page next connects. */
    hello: () => new Promise<void>((resolve) => void waiting.add(resolve)),
    async cut() {
      cut = true
      await Promise.all([...open].map((socket) => socket.close()))
      open.clear()
    },
    restore() {
      cut = false
    },
    /** Delays new connections until the returned function is called. */
    hold() {
      let open = () => {}
      gate = new Promise((resolve) => (open = resolve))
      return () => open()
    },
    /** Stops delivery on open connections, as after a computer sleeps. New connections work. */
    deafen() {
      for (const socket of open) deaf.add(socket)
    },
    /** Makes `hello` report another build id, as it does after a deployment. */
    deploy(name: string) {
      build = name
    },
  }
}

/** Timeout of one attempt, in ms. All attempts together have the usual deadline. */
export const pressMs = { timeout: 5_000 }

/** Retries until `seen` is visible: a click during a rerender is lost, and the server declines the first bid after a price change. */
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

export async function allowApiAccess(browser: Browser, url: string, email: string): Promise<void> {
  const context = await signIn(browser, url, 'admin')
  const found = await context.request.get(`/api/admin/users?q=${encodeURIComponent(email)}`)
  const [account] = ((await found.json()) as AdminUsersPage).users
  const grant = { data: { granted: true }, headers: { origin: url } }
  const answer = await context.request.post(`/api/admin/users/${account?.id}/api-access`, grant)
  if (!answer.ok()) throw new Error(`API access was not granted: ${answer.status()}`)
  await context.close()
}

export async function askForPlans(browser: Browser, url: string, planRequired: boolean): Promise<void> {
  const context = await signIn(browser, url, 'admin')
  const change = { data: { planRequired }, headers: { origin: url } }
  const answer = await context.request.patch('/api/admin/network', change)
  if (!answer.ok()) throw new Error(`the rule was not changed: ${answer.status()}`)
  await context.close()
}
