import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { adminEmail, danaEmail, demoPassword, marcusEmail, opsEmail } from '#server/features/auth/demo-accounts.ts'
import { codeOf } from '#tests/support/authenticator.ts'
import { violationsInBothThemes } from '#tests/support/axe.ts'
import { goWithin, openBrowser } from '#tests/support/browser.ts'
import { logOut, openVisitor } from '#tests/support/dealer-page.ts'
import { startProduct } from '#tests/support/product.ts'
import { addDevice, addPasskey, giveOwnPassword, logInByForm, openSettings } from '#tests/support/second-factor-page.ts'

// Passkeys require a host name, so the server is on localhost instead of an IP address.
const url = await startProduct(t, { RATE_LIMITS: 'off' })
const browser = await openBrowser(t)

async function isClean(t: Test, page: Page, what: string, parts?: string): Promise<void> {
  t.same(await violationsInBothThemes(page, parts), [], what)
  t.equal(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth), 0, what)
}

t.test('keeps the steps of a second factor accessible on a phone, in the settings and at sign-in', async (t) => {
  const at = await openVisitor(browser, url, { width: 390 })
  const { page } = at
  await openSettings(at, url, danaEmail)
  const card = page.getByRole('region', { name: 'Second factor' })
  await card.getByRole('button', { name: 'Set up app' }).click()
  const dialog = page.getByRole('dialog')
  await giveOwnPassword(page, 'Continue')
  await dialog.getByRole('img', { name: 'QR code with the secret below' }).waitFor()
  const secret = (await dialog.getByText(/^[A-Z2-7]{32}$/).textContent()) ?? ''
  await isClean(t, page, 'the QR code', '[role=dialog]')
  await dialog.getByLabel('Code from your app').fill(codeOf(secret))
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await dialog.getByRole('list', { name: 'Recovery codes' }).waitFor()
  await isClean(t, page, 'the recovery codes', '[role=dialog]')
  await dialog.getByRole('button', { name: "I've saved them" }).click()
  await card.getByText('On', { exact: true }).waitFor()
  await isClean(t, page, 'the settings', '[aria-label="Second factor"]')
  await logOut(page)
  await logInByForm(page, danaEmail)
  await page.getByLabel('App code').waitFor()
  await isClean(t, page, 'the step after the password')
  await at.leave()
})

t.test('keeps passkeys accessible in the settings and after the password', async (t) => {
  const at = await openVisitor(browser, url)
  const { page } = at
  const takeAway = await addDevice(at)
  await openSettings(at, url, marcusEmail)
  await addPasskey(page, 'Laptop')
  await page.getByRole('dialog').getByRole('button', { name: "I've saved them" }).click()
  await page.getByText('not used yet', { exact: false }).waitFor()
  await isClean(t, page, 'a passkey in the settings', '[aria-label="Second factor"]')
  await logOut(page)
  await logInByForm(page, marcusEmail)
  await page.getByRole('heading', { name: 'One more step' }).waitFor()
  await isClean(t, page, 'the step after the password, with a passkey')
  await takeAway()
  await at.leave()
})

t.test('leads ops to a second factor that an admin requires, and lets an admin reset a lost one', async (t) => {
  const boss = await openVisitor(browser, url)
  await addDevice(boss)
  const admin = boss.page
  await openSettings(boss, url, adminEmail)
  const dialog = admin.getByRole('dialog')
  await addPasskey(admin, 'Key ring')
  await dialog.getByRole('button', { name: "I've saved them" }).click()
  await goWithin(admin, '/admin/network')
  const rule = admin.getByRole('switch', { name: 'Require a second factor for admins and operations staff' })
  await rule.click()
  await dialog.getByLabel('Your password').fill(demoPassword)
  await isClean(t, admin, 'the dialog that changes the rule', '[role=dialog]')
  await dialog.getByRole('button', { name: 'Require it' }).click()
  await admin
    .getByRole('switch', { name: 'Require a second factor for admins and operations staff', checked: true })
    .waitFor()

  const staff = await openVisitor(browser, url, { width: 390 })
  await addDevice(staff)
  const ops = staff.page
  await ops.goto('/login')
  await logInByForm(ops, opsEmail)
  await ops.getByRole('heading', { name: 'Set up a second factor' }).waitFor()
  await isClean(t, ops, 'the required setup')
  await ops.goto('/admin/queues')
  await ops.getByRole('button', { name: 'Passkey', exact: true }).click()
  const led = ops.getByRole('dialog')
  await led.getByLabel('Name').fill('Phone')
  await led.getByLabel('Your password').fill(demoPassword)
  await led.getByRole('button', { name: 'Add passkey' }).click()
  await led.getByRole('list', { name: 'Recovery codes' }).waitFor()
  await led.getByRole('button', { name: "I've saved them" }).click()
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
  const question = admin.getByRole('dialog', { name: "Confirm it's you" })
  await question.getByLabel('Your password').fill(demoPassword)
  await isClean(t, admin, 'the password prompt', '[role=dialog]')
  await question.getByRole('button', { name: 'Confirm' }).click()
  await theirs.getByText('Off', { exact: true }).waitFor()
  await ops.getByRole('heading', { name: 'Queues' }).first().waitFor({ state: 'hidden' })
  await Promise.all([boss.context.close(), staff.context.close()])
})
