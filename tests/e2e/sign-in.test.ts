import type { Page } from 'playwright-core'
import t from 'tap'
import type { Chat } from '#shared/schemas/messaging.ts'
import { danaEmail, marcusEmail } from '#server/features/auth/demo-accounts.ts'
import { codeOf } from '#tests/support/authenticator.ts'
import { goWithin, openBrowser } from '#tests/support/browser.ts'
import { changeDealer, loggedOut, logOut, openDealer, openVisitor } from '#tests/support/dealer-page.ts'
import { startProduct } from '#tests/support/product.ts'
import { addDevice, addPasskey, giveOwnPassword, logInByForm, openSettings } from '#tests/support/second-factor-page.ts'

// Passkeys need a host name in a secure context. localhost is both; an IP address is not.
const url = await startProduct(t, { RATE_LIMITS: 'off' })
const browser = await openBrowser(t)

t.test('an app is scanned in the settings, asked for at the door, and a recovery code stands for it', async (t) => {
  const at = await openVisitor(browser, url, { width: 390, underPolicy: true })
  const { page } = at
  await openSettings(at, url, danaEmail)
  const card = page.getByRole('region', { name: 'Second factor' })
  await card.getByText('Off', { exact: true }).waitFor()
  await card.getByRole('button', { name: 'Set up app' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByText('Please enter your password').waitFor()
  await dialog.getByLabel('Your password').fill('not my password')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByText('Your password is incorrect').waitFor()
  await giveOwnPassword(page, 'Continue')
  await dialog.getByRole('img', { name: 'QR code with the secret below' }).waitFor()
  const secret = (await dialog.getByText(/^[A-Z2-7]{32}$/).textContent()) ?? ''
  await dialog.getByLabel('Code from your app').fill('12345')
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await dialog.getByText('This code is incorrect', { exact: false }).waitFor()
  await dialog.getByLabel('Code from your app').fill(codeOf(secret))
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  const codes = dialog.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await codes.first().waitFor()
  const [first = ''] = await codes.allTextContents()
  await page.keyboard.press('Escape')
  await codes.first().waitFor()
  await dialog.getByRole('button', { name: "I've saved them" }).click()
  await card.getByText('On', { exact: true }).waitFor()
  await card.getByText('10 of 10 left. Each works once').waitFor()

  await logOut(page)
  await logInByForm(page, danaEmail)
  const field = page.getByLabel('App code')
  await field.waitFor()
  await page.reload()
  await field.fill('000')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('This code is incorrect', { exact: false }).waitFor()
  await page.getByRole('button', { name: 'Back to Login' }).click()
  await logInByForm(page, danaEmail)
  await field.fill(codeOf(secret, 1))
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(`${url}/`)

  await logOut(page)
  await logInByForm(page, danaEmail)
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await page.getByLabel('Recovery code').fill(first)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(`${url}/`)
  await goWithin(page, '/settings')
  await card.getByText('9 of 10 left. Each works once').waitFor()
  await card.getByRole('button', { name: 'Turn off app' }).click()
  await giveOwnPassword(page, 'Turn off')
  await card.getByText('Off', { exact: true }).waitFor()
  t.equal(await card.getByRole('button', { name: 'Create new codes' }).count(), 0)
  await at.leave()
})

t.test('a passkey is added and named, signs in alone and after the password, and is removed', async () => {
  const at = await openVisitor(browser, url, { underPolicy: true })
  const { page } = at
  const takeAway = await addDevice(at)
  await openSettings(at, url, marcusEmail)
  const card = page.getByRole('region', { name: 'Second factor' })
  const dialog = page.getByRole('dialog')
  await addPasskey(page, 'Laptop')
  await dialog.getByRole('button', { name: "I've saved them" }).click()
  await card.getByText('not used yet', { exact: false }).waitFor()
  await card.getByRole('button', { name: 'Rename Laptop' }).click()
  await dialog.getByLabel('Name').fill('Office laptop')
  await dialog.getByRole('button', { name: 'Save name' }).click()
  await card.getByText('Office laptop').waitFor()
  await addPasskey(page, 'Again')
  await dialog.getByText('This device already has a passkey for your account').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  await logOut(page)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.waitForURL(`${url}/`)
  await logOut(page)
  await logInByForm(page, marcusEmail)
  await page.getByRole('heading', { name: 'One more step' }).waitFor()
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await page.waitForURL(`${url}/`)
  await goWithin(page, '/settings')
  await card.getByText('last used', { exact: false }).waitFor()
  await card.getByRole('button', { name: 'Remove Office laptop' }).click()
  await giveOwnPassword(page, 'Remove')
  await card.getByText('Off', { exact: true }).waitFor()
  await logOut(page)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByText('This passkey does not belong to an account here', { exact: true }).waitFor()
  await takeAway()
  await at.leave()
})

const asksToSignIn = async (page: Page) => {
  await page.waitForURL(`${url}/login`)
  await page.getByRole('button', { name: 'Login', exact: true }).waitFor()
}

t.test(
  'the browser forgets the session at Log Out although the call fails, in every tab, and repeats the call',
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
    t.equal((await context.request.get('/api/auth/me')).status(), 200, 'the server has not heard of it yet')
    answer = 500
    await page.reload()
    await refused
    await asksToSignIn(page)
    answer = undefined
    await loggedOut(page)
    t.equal((await context.request.get('/api/auth/me')).status(), 401, 'now it has')
    t.same(
      (await context.cookies()).map(({ name }) => name),
      ['lanewire_known'],
      'what is left opens nothing',
    )
    await context.close()
  },
)

t.test(
  'another dealer who signs in with this browser sees their own data, and so does the first one again',
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
