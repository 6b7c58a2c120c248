import type { APIRequestContext, Browser, BrowserContext, Page } from 'playwright-core'
import type { DemoMail } from '#shared/schemas/account.ts'
import type { CompleteProfile } from '#shared/schemas/onboarding.ts'
import { pageShowed } from './toasts.ts'
import { until } from './wait.ts'

export const aProfile: CompleteProfile = {
  firstName: 'Dana',
  lastName: 'Torres',
  email: 'dana@onboarding.example',
  phone: '(214) 555-0148',
  address: '4100 Harry Hines Blvd',
  city: 'Dallas',
  state: 'TX',
  zipCode: '75219',
  country: 'US',
  dealershipName: 'Torres Auto Group',
  dealershipType: 'independent',
  auctionAccessNumber: '5123456',
  dealership5MilNumber: '5012345',
  profileType: 'buyer',
  buysCanadianVehicles: true,
}

export interface Newcomer {
  context: BrowserContext
  completeProfile(): Promise<void>
}

export async function openNewcomer(
  browser: Browser,
  baseURL: string,
  email: string,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<Newcomer> {
  const context = await browser.newContext({ baseURL, serviceWorkers: 'block', reducedMotion: 'reduce', ...options })
  const send = async (path: string, data: object) => {
    const answer = await context.request.post(path, { data, headers: { origin: baseURL } })
    if (!answer.ok()) throw new Error(`${path} answered ${answer.status()} ${await answer.text()}`)
  }
  await send('/api/auth/signup', { email, password: 'seven quiet lorries at dawn' })
  return { context, completeProfile: () => send('/api/auth/complete-profile', { ...aProfile, email }) }
}

/** Signs up through the form, up to onboarding. With `plan`, the visitor has chosen a plan on the public site. */
export async function signUpAt(
  page: Page,
  url: string,
  account: { email: string; password: string },
  plan = '',
): Promise<void> {
  const { email, password } = account
  if (plan !== '' || page.url() !== `${url}/login`)
    await page.goto(`${url}/login${plan && `?mode=signup&plan=${plan}`}`)
  if (plan === '') await page.getByRole('radio', { name: 'Sign Up' }).click()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm password').fill(password)
  await page.getByRole('button', { name: 'Sign Up' }).last().click()
  await pageShowed(page, 'Account Created')
  await pageShowed(page, 'Please complete your dealer profile')
  await page.waitForURL(`${url}/onboarding`)
}

export async function mailedLinkAt(
  request: APIRequestContext,
  url: string,
  { to, subject }: Pick<DemoMail, 'to' | 'subject'>,
): Promise<string> {
  const link = await until(`the mail "${subject}" to ${to}`, async () => {
    const mails = (await (await request.get(`${url}/api/demo/mail`)).json()) as DemoMail[]
    const text = mails.find((mail) => mail.subject === subject && mail.to === to)?.text
    return text?.split('\n\n').find((line) => line.startsWith('http'))
  })
  const { pathname, search, hash } = new URL(link)
  return url + pathname + search + hash
}

export async function pay(page: Page, cardNumber: string, button: string): Promise<void> {
  await page.getByRole('button', { name: 'Fill Dummy Payment' }).click()
  await page.getByLabel('Card number').fill(cardNumber)
  await page.getByRole('button', { name: button }).click()
}
