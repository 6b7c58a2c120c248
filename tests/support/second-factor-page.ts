import type { Page } from 'playwright-core'
import { demoPassword } from '#server/features/auth/demo-accounts.ts'
import type { DealerPage } from './dealer-page.ts'

/** Adds a virtual authenticator with user verification. Returns a function that removes it. */
export async function addDevice({ page, context }: DealerPage): Promise<() => Promise<void>> {
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

export async function openSettings({ page, context }: DealerPage, url: string, email: string): Promise<void> {
  const login = { headers: { origin: url }, data: { email, password: demoPassword } }
  const answer = await context.request.post('/api/auth/login', login)
  if (!answer.ok()) throw new Error(`${email} could not sign in: ${answer.status()}`)
  await page.goto('/settings#security')
}

export async function logInByForm(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(demoPassword)
  await page.getByRole('button', { name: 'Login', exact: true }).last().click()
}

const dialogOf = (page: Page) => page.getByRole('dialog')

export async function giveOwnPassword(page: Page, button: string): Promise<void> {
  await dialogOf(page).getByLabel('Your password').fill(demoPassword)
  await dialogOf(page).getByRole('button', { name: button }).click()
}

/** Adds a passkey. If it is the account's first one, the page then shows recovery codes. */
export async function addPasskey(page: Page, name: string): Promise<void> {
  await page.getByRole('region', { name: 'Second factor' }).getByRole('button', { name: 'Add passkey' }).click()
  await dialogOf(page).getByLabel('Name').fill(name)
  await giveOwnPassword(page, 'Add passkey')
}
