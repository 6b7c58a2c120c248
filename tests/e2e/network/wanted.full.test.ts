import type { Locator, Page } from 'playwright-core'
import t from 'tap'
import type { Offer } from '#shared/schemas/deals.ts'
import { violationsInBothThemes } from '#tests/support/axe.ts'
import { openBrowser } from '#tests/support/browser.ts'
import { sticksOut } from '#tests/support/page-fit.ts'
import { type DealerPage, openDealer } from '#tests/support/dealer-page.ts'
import { getsFocus, hasFocus, tabTo } from '#tests/support/keys.ts'
import { startProduct } from '#tests/support/product.ts'
import { until } from '#tests/support/wait.ts'

const url = await startProduct(t, { RATE_LIMITS: 'off' })
const browser = await openBrowser(t)

const saab = { year: 2001, make: 'Saab', model: '9-5' }
const vins = ['YS3ED48EX13046221', 'YS3ED48E113046222'] as const

const post = async ({ context }: DealerPage, vehicle: object) => {
  const data = {
    title: 'A clean Saab',
    type: 'single',
    vehicles: [{ ...saab, city: 'Aurora', state: 'CO', ...vehicle }],
  }
  return context.request.post('/api/inventory', { headers: { origin: url }, data })
}
const offersOf = async ({ context }: DealerPage) =>
  ((await (await context.request.get('/api/offers?open=true')).json()) as Offer[]).filter(
    ({ source }) => source === 'order',
  )
const accept = async ({ context }: DealerPage, offer: Offer | undefined) =>
  context.request.post(`/api/offers/${offer?.id}/accept`, { headers: { origin: url }, data: { amount: offer?.amount } })

t.test(
  'turns a search without results into a buy order, a match, a one-press offer and a deal; a seller then offers while posting',
  async (t) => {
    const [buyer, seller] = [await openDealer(browser, url, 'dana'), await openDealer(browser, url, 'elena')]
    await buyer.page.goto(`/find?mmt=${saab.make}~${saab.model}&miles=-90000`)
    await buyer.page.getByRole('heading', { name: 'No matching vehicles' }).waitFor()
    await buyer.page.getByRole('link', { name: 'New buy order' }).last().click()
    const dialog = buyer.page.getByRole('dialog')
    await dialog.getByLabel('Price per vehicle').fill('12500')
    await dialog.getByLabel('Vehicles per month').fill('2')
    t.equal(await dialog.getByLabel('Mileage up to').inputValue(), '90,000', "uses the search's mileage")
    await dialog.getByRole('button', { name: 'Start buy order' }).click()
    await buyer.page.getByRole('heading', { name: 'Saab 9-5' }).waitFor()
    t.same(await violationsInBothThemes(buyer.page), [])
    t.equal(await sticksOut(buyer.page, 320), 0, '320 px')
    t.equal(await sticksOut(buyer.page, 780, 200), 0, 'text at twice the size')
    await sticksOut(buyer.page, 1440)

    t.equal((await post(seller, { vin: vins[0], mileage: 80_000, price: 12_000 })).status(), 201)
    await buyer.page.getByRole('button', { name: 'Offer $12,000 for 2001 Saab 9-5' }).click()
    await buyer.page.getByRole('button', { name: 'Undo' }).waitFor()
    const [offer] = await offersOf(seller)
    t.match(offer, { amount: 12_000, turn: 'seller' })
    t.equal((await accept(seller, offer)).status(), 200)
    await buyer.page.getByText('1 of 2 bought').first().waitFor()

    const { page } = seller
    await page.goto('/wanted?view=demand')
    await page.getByText(/dealers want/).waitFor()
    t.same(await violationsInBothThemes(page), [])
    t.equal(await sticksOut(page, 320), 0, '320 px')
    t.equal(await sticksOut(page, 780, 200), 0, 'text at twice the size')
    await sticksOut(page, 1440)
    await page.getByRole('button', { name: 'Post Inventory' }).click()
    const posting = page.getByRole('dialog')
    await posting.getByLabel('Title').fill('Another Saab')
    await posting.getByLabel('VIN').fill(vins[1])
    // Wait here. If autofill ran between selecting a value and typing, both values would be merged.
    await posting.getByText('Auto-filled: 2001, Saab').waitFor()
    for (const [label, value] of [
      ['Year', '2001'],
      ['Make', saab.make],
      ['Model', saab.model],
      ['Mileage', '70000'],
      ['Price', '13000'],
    ] as const)
      await posting.getByLabel(label, { exact: true }).fill(value)
    await posting.getByText('1 dealer wants this car').waitFor()
    t.same(await violationsInBothThemes(page), [])
    await posting.getByRole('checkbox', { name: 'Offer it to the top buyer when I post' }).click()
    await posting.getByRole('button', { name: 'Post Inventory' }).click()
    await page.getByText('Posted and offered').first().waitFor()
    const offered = (await offersOf(buyer)).find(({ turn }) => turn === 'buyer')
    t.match(offered, { amount: 12_500 })
    await buyer.page.goto('/wanted')
    await buyer.page.getByText('Offered to you').waitFor()
    await buyer.page.getByRole('link', { name: 'Answer' }).click()
    await buyer.page.getByRole('button', { name: 'Accept $12,500' }).click()
    await until('the offer to become a deal', async () => (await offersOf(seller)).length === 0)
    await Promise.all([buyer.leave(), seller.leave()])
  },
)

t.test(
  'creates, pauses and ends a buy order and reads its matches by keyboard alone, and never loses the focus',
  async (t) => {
    const [{ page, context }, seller] = [
      await openDealer(browser, url, 'marcus'),
      await openDealer(browser, url, 'elena'),
    ]
    const { keyboard } = page
    const press = async (what: Locator, key = 'Enter') => {
      await tabTo(what)
      // The event may arrive before the response, and the button stays busy until the response arrives.
      await what.and(page.locator(':not([aria-busy="true"])')).waitFor()
      await keyboard.press(key)
    }
    const type = async (what: Locator, text: string) => {
      await tabTo(what)
      await keyboard.type(text)
    }
    const button = (name: string, within: Page | Locator = page) => within.getByRole('button', { name, exact: true })
    const choose = async (opener: Locator, name: string) => {
      await press(opener)
      const item = page.getByRole('menuitem', { name, exact: true })
      await item.waitFor()
      while (!(await hasFocus(item))) await keyboard.press('ArrowDown')
      await keyboard.press('Enter')
    }
    const model = { ...saab, model: '9-3', mileage: 60_000 }
    const title = `${model.make} ${model.model}`

    await page.goto('/')
    await choose(page.getByRole('button', { name: /^Account: / }), 'Wanted')
    await page.getByRole('heading', { name: 'Wanted', level: 1 }).waitFor()
    const [orders, demand] = [
      page.getByRole('radio', { name: /^My buy orders/ }),
      page.getByRole('radio', { name: 'Demand' }),
    ]
    await press(orders, 'ArrowLeft')
    await page.getByText(/dealers want/).waitFor()
    await getsFocus(demand)
    await press(page.getByRole('checkbox', { name: 'I have one' }), 'Space')
    await page.waitForURL('**have=1**')
    await getsFocus(page.getByRole('checkbox', { name: 'I have one' }))
    await keyboard.press('Space')
    await tabTo(page.getByRole('button', { name: /^Post one: / }).first())
    await press(demand, 'ArrowRight')
    await getsFocus(orders)

    await press(button('New buy order'))
    const dialog = page.getByRole('dialog')
    const make = dialog.getByLabel('Make')
    await getsFocus(make)
    await keyboard.press('Escape')
    await getsFocus(button('New buy order'))
    await keyboard.press('Enter')
    await getsFocus(make)
    await keyboard.type(model.make)
    await page.evaluate(() => history.back())
    await getsFocus(button('Keep editing'))
    await keyboard.press('Enter')
    await getsFocus(make)
    t.equal(await make.inputValue(), model.make, 'going back asks before it discards input')
    await type(dialog.getByLabel('Model'), model.model)
    await type(dialog.getByLabel('Mileage up to'), '90000')
    await press(button('Start buy order', dialog))
    await getsFocus(dialog.getByLabel('Price per vehicle'))
    await keyboard.type('12500')
    const days = dialog.getByRole('combobox', { name: 'Duration' })
    await press(days)
    await getsFocus(page.getByRole('option', { name: '30 days' }))
    await keyboard.press('ArrowDown')
    await getsFocus(page.getByRole('option', { name: '60 days' }))
    await keyboard.press('Enter')
    await getsFocus(days)
    t.match(await days.textContent(), /60 days/)
    await press(dialog.getByRole('checkbox', { name: 'Show my dealership’s name' }), 'Space')
    await press(button('Start buy order', dialog))
    await getsFocus(button('New buy order'))

    const row = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: title, exact: true }) })
    const on = row.getByRole('switch')
    await press(on, 'Space')
    await row.getByText('Paused').waitFor()
    await getsFocus(on)
    await press(on, 'Space')
    await row.getByText('Active').waitFor()
    await getsFocus(on)
    const more = button(`More for ${title}`, row)
    await choose(more, 'Edit')
    await type(dialog.getByLabel('Note to sellers'), 'Any color')
    await press(button('Save', dialog))
    await getsFocus(more)
    await choose(more, 'Pause')
    await row.getByText('Paused').waitFor()
    await getsFocus(more)
    await choose(more, 'End')
    const question = page.getByRole('alertdialog')
    await getsFocus(button('Cancel', question))
    await press(button('End order', question))
    await row.getByText('Ended').waitFor()
    await getsFocus(more)
    await press(button(`Renew ${title}`, row))
    await row.getByText('Active').waitFor()
    await getsFocus(on)

    const matches = page.getByRole('region', { name: 'Matches' })
    const car = `2001 ${title}`
    for (const vin of ['YS3ED48EX13046229', 'YS3ED48E113046230'])
      t.equal((await post(seller, { ...model, vin, price: 12_000 })).status(), 201)
    const offer = button(`Offer $12,000 for ${car}`, matches)
    await offer.nth(1).waitFor()
    await press(offer.first())
    await getsFocus(button('Undo', matches))
    await keyboard.press('Enter')
    await button('Undo', matches).waitFor({ state: 'detached' })
    await getsFocus(matches.getByRole('link', { name: car }).nth(1))
    await press(button(`Not this one: ${car}`, matches).nth(1))
    await offer.nth(1).waitFor({ state: 'detached' })
    t.not(await page.evaluate(() => document.activeElement?.tagName), 'BODY')
    await press(offer.first())
    await getsFocus(button('Undo', matches))
    await button('Undo', matches).waitFor({ state: 'detached' })
    t.not(await page.evaluate(() => document.activeElement?.tagName), 'BODY', 'focus after Undo expires')
    t.same(
      (await offersOf(seller)).map(({ amount }) => amount),
      [12_000],
    )
    await context.close()
    await seller.context.close()
  },
)
