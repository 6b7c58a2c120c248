import type { BrowserContext, Locator, Page } from 'playwright-core'
import t from 'tap'
import type { Offer } from '#shared/schemas/deals.ts'
import type { NotificationsPage } from '#shared/schemas/notifications.ts'
import { goWithin, openBrowser } from '#tests/support/browser.ts'
import { openDealer } from '#tests/support/dealer-page.ts'
import { aVehicle } from '#tests/support/factories.ts'
import { publishPost } from '#tests/support/feed-page.ts'
import { startProduct } from '#tests/support/product.ts'
import { until } from '#tests/support/wait.ts'

const url = await startProduct(t, { RATE_LIMITS: 'off' })
const browser = await openBrowser(t)
const headers = { origin: url }

const read = async <T>({ request }: BrowserContext, path: string) => (await (await request.get(path)).json()) as T

const isAlerted = async (context: BrowserContext, postId: string) => {
  const { items } = await read<NotificationsPage>(context, '/api/notifications')
  return items.some(({ kind, path }) => kind === 'match' && path?.startsWith(`/post/${postId}?vehicle=`))
}

async function acceptOffer(context: BrowserContext, amount: number): Promise<void> {
  const offer = (await read<Offer[]>(context, '/api/offers?open=true')).find((one) => one.amount === amount)
  const answer = await context.request.post(`/api/offers/${offer?.id}/accept`, { headers, data: { amount } })
  if (!answer.ok()) throw new Error(`the offer of ${amount} was not accepted: ${answer.status()}`)
}

async function makeOffer(page: Page, amount: string, shown: string): Promise<Locator> {
  await page.getByRole('button', { name: 'Make offer' }).first().click()
  await page.getByLabel('Your offer').fill(amount)
  await page.getByRole('button', { name: 'Send offer' }).click()
  const own = page.getByRole('link', { name: `Your offer: ${shown}` })
  await own.waitFor()
  return own
}

t.test(
  'filters vehicles in Find, announces a new one above the list, and turns an offer for it into a deal',
  async (t) => {
    const { page, context, leave, errors } = await openDealer(browser, url, 'dana')
    const total = page.getByRole('region', { name: 'Results' }).getByText(/^[\d,]+ vehicles?$/)
    const vehicles = page.getByRole('list', { name: 'Vehicles' }).getByRole('article')
    await page.goto('/find')
    await total.waitFor()
    const all = await total.innerText()
    const filters = page.getByRole('complementary', { name: 'Filters' })
    await filters.getByRole('checkbox', { name: /^Ford/ }).click()
    await filters.getByRole('checkbox', { name: /^F-150/ }).click()
    await filters.getByLabel('Max price').fill('90k')
    await page.getByRole('button', { name: 'Remove Up to $90,000' }).waitFor()
    t.equal(page.url(), `${url}/find?mmt=Ford~F-150&price=-90000`)
    await page.goBack()
    await page.getByRole('button', { name: 'Remove Up to $90,000' }).waitFor({ state: 'detached' })
    t.equal(await filters.getByLabel('Max price').inputValue(), '')
    await page.goBack()
    await page.goBack()
    await page.getByRole('group', { name: 'Applied filters' }).waitFor({ state: 'detached' })
    await total.getByText(all, { exact: true }).waitFor()

    await page.getByRole('heading', { level: 1 }).click()
    await page.keyboard.press('/')
    await page.keyboard.type('ford f150 under 300k miles')
    await page.getByRole('option', { name: 'Find: Ford F-150, under 300,000 mi' }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/find?mmt=Ford~F-150&miles=-300000')
    await vehicles.filter({ hasNotText: 'F-150' }).first().waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Save search' }).click()
    await page.getByRole('button', { name: 'Search saved' }).waitFor()
    await page.getByText('Live', { exact: true }).waitFor()

    const marcus = await openDealer(browser, url, 'marcus')
    const title = 'F-150 from the lease'
    const { id } = await publishPost(marcus.context, url, { title, vehicles: [{ ...aVehicle, trim: 'Lariat' }] })
    await until('the notification of the saved search', () => isAlerted(context, id))
    await page.getByRole('button', { name: '1 new vehicle' }).click()
    const added = page.locator(`[data-find-vehicle="${id}"]`)
    await added.waitFor()
    await page.getByRole('button', { name: '1 new vehicle' }).waitFor({ state: 'detached' })
    await page.keyboard.press('j')
    const focused = await page.evaluate(() => (document.activeElement as HTMLElement).dataset['findVehicle'])
    t.equal(focused, id, 'the newest vehicle is the first')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: title }).waitFor()

    const own = await makeOffer(page, '30500', '$30,500')
    await own.click()
    await page.getByRole('list', { name: 'Waiting' }).getByText('$30,500').waitFor()
    await acceptOffer(marcus.context, 30_500)
    await page.getByText("Waiting for Marcus Webb's approval").first().waitFor()
    t.same(errors, [], 'no console error')
    await Promise.all([leave(), marcus.leave()])
  },
)

t.test(
  'takes an offer through acceptance, approval, signatures and completion without reloading either page',
  async (t) => {
    const [seller, buyer] = [await openDealer(browser, url, 'marcus'), await openDealer(browser, url, 'dana')]
    const title = 'Expedition with two keys'
    const vehicle = { ...aVehicle, vin: '1FMJU1JT5MEA12345', model: 'Expedition' }
    const { id } = await publishPost(seller.context, url, { title, vehicles: [vehicle] })
    await seller.page.goto('/deals')
    await seller.page.getByRole('heading', { level: 1, name: 'Deals' }).waitFor()
    await buyer.page.goto(`/post/${id}`)
    const own = await makeOffer(buyer.page, '41300', '$41,300')
    await own.click()
    await buyer.page.getByRole('list', { name: 'Waiting' }).getByText('$41,300').waitFor()
    await seller.page.getByRole('button', { name: 'Accept $41,300' }).click()
    await seller.page.getByRole('button', { name: 'Approve: 2021 Ford Expedition' }).click()
    await seller.page.getByRole('link', { name: 'Sign: 2021 Ford Expedition' }).click()
    const sign = async (page: Page, name: string) => {
      for (const paper of ['Bill of Sale', 'Mileage statement between dealers']) {
        const form = page
          .getByRole('form')
          .or(page.locator('form'))
          .filter({ has: page.getByLabel(`Sign the ${paper}`) })
        await form.getByLabel(`Sign the ${paper}`).fill(name)
        await form.getByRole('button', { name: 'Sign', exact: true }).click()
        await form.waitFor({ state: 'detached' })
      }
    }
    await sign(seller.page, 'Marcus Webb')
    await buyer.page.getByRole('tab', { name: /^Your turn/ }).click()
    await buyer.page.getByRole('link', { name: 'Sign: 2021 Ford Expedition' }).click()
    await buyer.page.getByText('signed “Marcus Webb”').nth(1).waitFor()
    await sign(buyer.page, 'Dana Torres')
    await seller.page.getByText('signed “Dana Torres”').nth(1).waitFor()
    await buyer.page.getByRole('textbox', { name: 'Message to Marcus Webb' }).fill('The truck comes at nine')
    await buyer.page.keyboard.press('Enter')
    await seller.page.getByRole('log').getByText('The truck comes at nine').waitFor()
    const paper = buyer.page.getByRole('link', { name: 'PDF of the Bill of Sale' })
    const pdf = await buyer.page.request.get((await paper.getAttribute('href')) ?? '')
    t.equal(pdf.headers()['content-type'], 'application/pdf')
    await buyer.page.getByRole('button', { name: 'Complete', exact: true }).click()
    await buyer.page.getByRole('button', { name: 'Complete deal' }).click()
    // The next step has the focus, because the pressed buttons have disappeared.
    await buyer.page.locator(':focus', { hasText: /^Leave a review\.$/ }).waitFor()
    await seller.page.getByText('Leave a review.').waitFor()
    t.same([...seller.errors, ...buyer.errors], [], 'no console error')
    await Promise.all([seller.leave(), buyer.leave()])
  },
)

t.test(
  'starts a buy order from a search without results, notifies of a match, and makes the offer in one press',
  async (t) => {
    const [buyer, seller] = [await openDealer(browser, url, 'dana'), await openDealer(browser, url, 'elena')]
    const { page } = buyer
    await page.goto('/find?mmt=Saab~9-5&miles=-90000')
    await page.getByRole('heading', { name: 'No matching vehicles' }).waitFor()
    await page.getByRole('link', { name: 'New buy order' }).last().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Price per vehicle').fill('12500')
    await dialog.getByLabel('Vehicles per month').fill('2')
    t.equal(await dialog.getByLabel('Mileage up to').inputValue(), '90,000', "uses the search's mileage")
    await dialog.getByRole('button', { name: 'Start buy order' }).click()
    await page.getByRole('heading', { name: 'Saab 9-5' }).waitFor()

    const saab = { vin: 'YS3ED48EX13046221', year: 2001, make: 'Saab', model: '9-5', city: 'Aurora', state: 'CO' }
    const vehicles = [{ ...saab, mileage: 80_000, price: 12_000 }]
    await goWithin(page, '/watchlist')
    await page.getByRole('heading', { level: 1, name: 'Watchlist' }).waitFor()
    await publishPost(seller.context, url, { title: 'A clean Saab', vehicles })
    await goWithin(page, '/notifications')
    await page
      .getByRole('dialog', { name: 'Notifications' })
      .getByText(/Saab 9-5 fits your buy order/)
      .click()
    await page.waitForURL(`${url}/wanted?vehicle=*`)
    await page.getByRole('button', { name: 'Offer $12,000 for 2001 Saab 9-5' }).click()
    await page.getByRole('button', { name: 'Undo' }).waitFor()
    await acceptOffer(seller.context, 12_000)
    await page.getByText('1 of 2 bought').first().waitFor()
    await goWithin(page, '/deals?stage=waiting')
    await page.getByText("Waiting for Elena Park's approval").first().waitFor()
    await Promise.all([buyer.leave(), seller.leave()])
  },
)
