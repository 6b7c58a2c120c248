import type { Browser, BrowserContext } from 'playwright-core'
import type { CompleteProfile } from '#shared/schemas/onboarding.ts'

/** A complete dealer profile. */
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
  /** Step 1 of onboarding, by its call. */
  completeProfile(): Promise<void>
}

/** A browser whose dealer has just signed up and filled in nothing yet. */
export async function openNewcomer(
  browser: Browser,
  baseURL: string,
  email: string,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<Newcomer> {
  const context = await browser.newContext({ baseURL, serviceWorkers: 'block', ...options })
  const send = async (path: string, data: object) => {
    const answer = await context.request.post(path, { data, headers: { origin: baseURL } })
    if (!answer.ok()) throw new Error(`${path} answered ${answer.status()} ${await answer.text()}`)
  }
  await send('/api/auth/signup', { email, password: 'seven quiet lorries at dawn' })
  return { context, completeProfile: () => send('/api/auth/complete-profile', { ...aProfile, email }) }
}
