import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { adminEmail, danaEmail, demoPassword, marcusEmail, opsEmail } from '#server/features/auth/demo-accounts.ts'
import { codeOf } from '#tests/support/authenticator.ts'
import { violationsInBothThemes } from '#tests/support/axe.ts'
import { goWithin, openBrowser } from '#tests/support/browser.ts'
import { type DealerPage, logOut, openVisitor } from '#tests/support/dealer-page.ts'
import { startProduct } from '#tests/support/product.ts'

// Passkeys want a name, not an address, and a page that counts as safe: localhost is one.
const url = await startProduct(t, { RATE_LIMITS: 'off' })
const browser = await openBrowser(t)

/** A device of this browser that asks for a finger, and has the right one. Answers how to take it away. */
async function addDevice({ page, context }: DealerPage): Promise<() => Promise<void>> {
  const devices = await context.newCDPSession(page)
  await devices.send('WebAuthn.enable')
  await devices.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return () => devices.detach()
}

/** With the password alone, and to the settings. */
async function enter({ page, context }: DealerPage, email: string): Promise<void> {
  const login = { headers: { origin: url }, data: { email, password: demoPassword } }
  t.ok((await context.request.post('/api/auth/login', login)).ok(), `${email} is signed in`)
  await page.goto('/settings')
}

/** At the door. */
async function logIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(demoPassword)
  await page.getByRole('button', { name: 'Login', exact: true }).last().click()
}

/** Both themes, and nothing wider than the screen. */
async function isClean(t: Test, page: Page, what: string, parts?: string): Promise<void> {
  t.same(await violationsInBothThemes(page, parts), [], what)
  t.equal(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth), 0, what)
}

t.test('an app is scanned in the settings, asked for at the door, and a recovery code stands for it', async (t) => {
  const at = await openVisitor(browser, url, { width: 390 })
  const { page } = at
  await enter(at, danaEmail)
  const card = page.getByRole('region', { name: 'Second factor' })
  await card.getByText('Off', { exact: true }).waitFor()
  await card.getByRole('button', { name: 'Set up app' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByText('Please enter your password').waitFor()
  await dialog.getByLabel('Your password').fill('not my password')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByText('Your password is not right').waitFor()
  await dialog.getByLabel('Your password').fill(demoPassword)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByRole('img', { name: 'QR code with the secret below' }).waitFor()
  const secret = (await dialog.getByText(/^[A-Z2-7]{32}$/).textContent()) ?? ''
  await isClean(t, page, 'the QR code', '[role=dialog]')
  await dialog.getByLabel('Code that the app shows').fill('12345')
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await dialog.getByText('This code is not right', { exact: false }).waitFor()
  await dialog.getByLabel('Code that the app shows').fill(codeOf(secret))
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  const codes = dialog.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await codes.first().waitFor()
  const [first = ''] = await codes.allTextContents()
  await isClean(t, page, 'the recovery codes', '[role=dialog]')
  await page.keyboard.press('Escape')
  await codes.first().waitFor()
  await dialog.getByRole('button', { name: 'I have kept them' }).click()
  await card.getByText('On', { exact: true }).waitFor()
  await card.getByText('10 of 10 left. Each works once').waitFor()
  await isClean(t, page, 'the settings', '[aria-label="Second factor"]')

  await logOut(page)
  await logIn(page, danaEmail)
  const field = page.getByLabel('Code of your app')
  await field.waitFor()
  await isClean(t, page, 'the step after the password')
  await page.reload()
  await field.fill('000')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('This code is not right', { exact: false }).waitFor()
  await page.getByRole('button', { name: 'Back to Login' }).click()
  await logIn(page, danaEmail)
  await field.fill(codeOf(secret, 1))
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(`${url}/`)

  await logOut(page)
  await logIn(page, danaEmail)
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await page.getByLabel('Recovery code').fill(first)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(`${url}/`)
  await goWithin(page, '/settings')
  await card.getByText('9 of 10 left. Each works once').waitFor()
  await card.getByRole('button', { name: 'Turn off app' }).click()
  await dialog.getByLabel('Your password').fill(demoPassword)
  await dialog.getByRole('button', { name: 'Turn off' }).click()
  await card.getByText('Off', { exact: true }).waitFor()
  t.equal(await card.getByRole('button', { name: 'Make new codes' }).count(), 0)
  await at.leave()
})

t.test('a passkey is added and named, signs in alone and after the password, and is removed', async (t) => {
  const at = await openVisitor(browser, url)
  const { page } = at
  const takeAway = await addDevice(at)
  await enter(at, marcusEmail)
  const card = page.getByRole('region', { name: 'Second factor' })
  const dialog = page.getByRole('dialog')
  await card.getByRole('button', { name: 'Add passkey' }).click()
  await dialog.getByLabel('Name').fill('Laptop')
  await dialog.getByLabel('Your password').fill(demoPassword)
  await dialog.getByRole('button', { name: 'Add passkey' }).click()
  await dialog.getByRole('button', { name: 'I have kept them' }).click()
  await card.getByText('not used yet', { exact: false }).waitFor()
  await card.getByRole('button', { name: 'Rename Laptop' }).click()
  await dialog.getByLabel('Name').fill('Office laptop')
  await dialog.getByRole('button', { name: 'Save name' }).click()
  await card.getByText('Office laptop').waitFor()
  await card.getByRole('button', { name: 'Add passkey' }).click()
  await dialog.getByLabel('Name').fill('Again')
  await dialog.getByLabel('Your password').fill(demoPassword)
  await dialog.getByRole('button', { name: 'Add passkey' }).click()
  await dialog.getByText('This device has a passkey of your account already').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await isClean(t, page, 'a passkey in the settings', '[aria-label="Second factor"]')

  await logOut(page)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.waitForURL(`${url}/`)
  await logOut(page)
  await logIn(page, marcusEmail)
  await page.getByRole('heading', { name: 'One more step' }).waitFor()
  await isClean(t, page, 'the step after the password, with a passkey')
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await page.waitForURL(`${url}/`)
  await goWithin(page, '/settings')
  await card.getByText('last used', { exact: false }).waitFor()
  await card.getByRole('button', { name: 'Remove Office laptop' }).click()
  await dialog.getByLabel('Your password').fill(demoPassword)
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await card.getByText('Off', { exact: true }).waitFor()
  await logOut(page)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByText('This passkey does not sign in to an account here', { exact: true }).waitFor()
  await takeAway()
  await at.leave()
})

t.test('an admin asks staff for a second factor: ops is led to it first, and an admin resets a lost one', async (t) => {
  const boss = await openVisitor(browser, url)
  await addDevice(boss)
  const admin = boss.page
  await enter(boss, adminEmail)
  const own = admin.getByRole('region', { name: 'Second factor' })
  const dialog = admin.getByRole('dialog')
  await own.getByRole('button', { name: 'Add passkey' }).click()
  await dialog.getByLabel('Name').fill('Key ring')
  await dialog.getByLabel('Your password').fill(demoPassword)
  await dialog.getByRole('button', { name: 'Add passkey' }).click()
  await dialog.getByRole('button', { name: 'I have kept them' }).click()
  await goWithin(admin, '/admin/users')
  const rule = admin.getByRole('switch', { name: 'Admins and operations staff need a second factor' })
  await rule.click()
  await dialog.getByLabel('Your password').fill(demoPassword)
  await isClean(t, admin, 'what changes the rule', '[role=dialog]')
  await dialog.getByRole('button', { name: 'Ask for it' }).click()
  await admin.getByRole('switch', { name: 'Admins and operations staff need a second factor', checked: true }).waitFor()

  const staff = await openVisitor(browser, url, { width: 390 })
  await addDevice(staff)
  const ops = staff.page
  await ops.goto('/login')
  await logIn(ops, opsEmail)
  await ops.getByRole('heading', { name: 'Set up a second factor' }).waitFor()
  await isClean(t, ops, 'what staff are led to')
  await ops.goto('/admin/queues')
  await ops.getByRole('button', { name: 'Passkey', exact: true }).click()
  const led = ops.getByRole('dialog')
  await led.getByLabel('Name').fill('Phone')
  await led.getByLabel('Your password').fill(demoPassword)
  await led.getByRole('button', { name: 'Add passkey' }).click()
  await led.getByRole('list', { name: 'Recovery codes' }).waitFor()
  await led.getByRole('button', { name: 'I have kept them' }).click()
  await ops.getByRole('heading', { name: 'Queues' }).first().waitFor()

  const { users } = (await (await boss.context.request.get(`/api/admin/users?q=${opsEmail}`)).json()) as {
    users: { id: string }[]
  }
  await goWithin(admin, `/admin/users/${users[0]?.id}`)
  const theirs = admin.getByRole('region', { name: 'Second factor' })
  await theirs.getByText('On', { exact: true }).waitFor()
  await theirs.getByRole('button', { name: 'Reset' }).click()
  await dialog.getByLabel('Reason').fill('Lost the phone, called from the number on file')
  await dialog.getByRole('button', { name: 'Reset' }).click()
  await theirs.getByText('Off', { exact: true }).waitFor()
  await ops.getByRole('heading', { name: 'Queues' }).first().waitFor({ state: 'hidden' })
  await Promise.all([boss.context.close(), staff.context.close()])
})
