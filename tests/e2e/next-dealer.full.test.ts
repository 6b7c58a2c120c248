import type { Page } from 'playwright-core'
import t from 'tap'
import type { Chat } from '#shared/schemas/messaging.ts'
import { goWithin, openBrowser } from '#tests/support/browser.ts'
import { changeDealer, loggedOut, openDealer } from '#tests/support/dealer-page.ts'
import { startProduct } from '#tests/support/product.ts'

// Passkeys require a host name, so the server is on localhost instead of an IP address.
const url = await startProduct(t, { RATE_LIMITS: 'off' })
const browser = await openBrowser(t)

const asksToSignIn = async (page: Page) => {
  await page.waitForURL(`${url}/login`)
  await page.getByRole('button', { name: 'Login', exact: true }).waitFor()
}

t.test(
  'forgets the session in every tab at Log Out even if the call fails, and repeats the call until it succeeds',
  async (t) => {
    const { page, context } = await openDealer(browser, url, 'elena', { underPolicy: true })
    await page.goto('/deals')
    await page.getByRole('heading', { name: 'Deals', level: 1 }).waitFor()
    await goWithin(page, '/settings')
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
    const other = await context.newPage()
    await other.goto('/watchlist')
    await other.getByRole('heading', { level: 1 }).waitFor()
    let answer: 'never' | 500 | undefined = 'never'
    let refuse = () => {}
    const refused = new Promise<void>((resolve) => (refuse = resolve))
    await context.route('**/api/auth/logout', async (route) => {
      if (answer === 'never') return
      if (answer === undefined) return route.continue()
      await route.fulfill({ status: 500, json: {} })
      refuse()
    })
    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('menuitem', { name: 'Log Out' }).click()
    await asksToSignIn(page)
    await asksToSignIn(other)
    await page.goBack()
    await asksToSignIn(page)
    for (const path of ['/', '/settings', '/messages']) {
      await page.goto(path)
      await asksToSignIn(page)
    }
    t.equal((await context.request.get('/api/auth/me')).status(), 200, 'the server has not received it yet')
    answer = 500
    await page.reload()
    await refused
    await asksToSignIn(page)
    answer = undefined
    await loggedOut(page)
    t.equal((await context.request.get('/api/auth/me')).status(), 401, 'the server has received it')
    t.same(
      (await context.cookies()).map(({ name }) => name),
      ['lanewire_known'],
      'the remaining cookie gives no access',
    )
    await context.close()
  },
)

t.test(
  'shows a second dealer who signs in with the same browser only their own data, and the first one theirs again',
  async (t) => {
    const { page, context } = await openDealer(browser, url, 'elena', { underPolicy: true })
    await page.goto('/settings')
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
    const become = async (who: 'elena' | 'marcus', name: string) => {
      const asked = page.waitForRequest('**/api/auth/security')
      await changeDealer(browser, url, context, who)
      await page.getByRole('button', { name: `Account: ${name}` }).waitFor()
      await asked
    }
    await become('marcus', 'Marcus Webb')
    await become('elena', 'Elena Park')
    await goWithin(page, '/messages')
    const chats = (await (await context.request.get('/api/chats')).json()) as Chat[]
    const rows = page.getByRole('list', { name: 'Conversations' }).getByRole('listitem')
    await rows.nth(chats.length - 1).waitFor()
    t.equal(await rows.count(), chats.length)
    await context.close()
  },
)
