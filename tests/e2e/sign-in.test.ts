import t from 'tap'
import { danaEmail } from '#server/features/auth/demo-accounts.ts'
import { codeOf } from '#tests/support/authenticator.ts'
import { goWithin, openBrowser } from '#tests/support/browser.ts'
import { logOut, openVisitor } from '#tests/support/dealer-page.ts'
import { startProduct } from '#tests/support/product.ts'
import { giveOwnPassword, logInByForm, openSettings } from '#tests/support/second-factor-page.ts'

// Passkeys require a host name, so the server is on localhost instead of an IP address.
const url = await startProduct(t, { RATE_LIMITS: 'off' })
const browser = await openBrowser(t)

t.test('sets up an authenticator app, asks for it at sign-in, and accepts a recovery code instead', async (t) => {
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
  await goWithin(page, '/settings#security')
  await card.getByText('9 of 10 left. Each works once').waitFor()
  await card.getByRole('button', { name: 'Turn off app' }).click()
  await giveOwnPassword(page, 'Turn off')
  await card.getByText('Off', { exact: true }).waitFor()
  t.equal(await card.getByRole('button', { name: 'Create new codes' }).count(), 0)
  await at.leave()
})
