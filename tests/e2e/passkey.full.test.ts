import t from 'tap'
import { marcusEmail } from '#server/features/auth/demo-accounts.ts'
import { goWithin, openBrowser } from '#tests/support/browser.ts'
import { logOut, openVisitor } from '#tests/support/dealer-page.ts'
import { startProduct } from '#tests/support/product.ts'
import { addDevice, addPasskey, giveOwnPassword, logInByForm, openSettings } from '#tests/support/second-factor-page.ts'

// Passkeys require a host name, so the server is on localhost instead of an IP address.
const url = await startProduct(t, { RATE_LIMITS: 'off' })
const browser = await openBrowser(t)

t.test('adds and names a passkey, signs in with it alone and after the password, and removes it', async () => {
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
  await goWithin(page, '/settings#security')
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
