import t from 'tap'
import { violationsInBothThemes } from '#tests/support/axe.ts'
import { openBrowser } from '#tests/support/browser.ts'
import { openDealer } from '#tests/support/dealer-page.ts'
import { startProduct } from '#tests/support/product.ts'
import { aBuyOrder } from '#tests/support/wanted.ts'

const url = await startProduct(t, { RATE_LIMITS: 'off' })
const browser = await openBrowser(t)

/** Of a make that the demo has none of. */
const order = { make: 'Saab', model: '9-5', miles: '90,000', price: '12500' }
const vins = ['YS3ED48EX13046221', 'YS3ED48E113046222'] as const

t.test(
  'an order is told of what another dealer posts, offers in one press, and a seller offers to the best',
  async (t) => {
    const [buyer, seller] = [await openDealer(browser, url, 'dana'), await openDealer(browser, url, 'elena')]
    await buyer.page.goto(`/wanted?order=new&mmt=${order.make}~${order.model}`)
    const dialog = buyer.page.getByRole('dialog')
    await dialog.getByLabel('Mileage up to').fill(order.miles)
    await dialog.getByLabel('You pay a car').fill(order.price)
    await dialog.getByRole('button', { name: 'Start buy order' }).click()
    await buyer.page.getByRole('heading', { name: 'Saab 9-5' }).waitFor()
    t.same(await violationsInBothThemes(buyer.page), [])

    const post = (vin: string, price: number) =>
      seller.context.request.post('/api/inventory', {
        headers: { origin: url },
        data: {
          title: 'A clean Saab',
          type: 'single',
          vehicles: [
            {
              vin,
              year: 2001,
              make: order.make,
              model: order.model,
              mileage: 80_000,
              price,
              city: 'Aurora',
              state: 'CO',
            },
          ],
        },
      })
    t.equal((await post(vins[0], 12_000)).status(), 201)
    await buyer.page.getByRole('button', { name: 'Offer $12,000 for 2001 Saab 9-5' }).click()
    await buyer.page.getByRole('button', { name: 'Undo' }).waitFor()
    const open = await (await seller.context.request.get('/api/offers?open=true')).json()
    const offer = (open as { id: string; amount: number; source: string }[]).find(({ source }) => source === 'order')
    t.match(offer, { amount: 12_000 })
    const accepted = await seller.context.request.post(`/api/offers/${offer?.id}/accept`, {
      headers: { origin: url },
      data: {},
    })
    t.equal(accepted.status(), 200)
    await buyer.page.getByText('1 of 1 bought').first().waitFor()
    await buyer.context.close()

    const other = await openDealer(browser, url, 'marcus')
    await other.context.request.post('/api/buy-orders', {
      headers: { origin: url },
      data: aBuyOrder({ make: order.make, model: order.model, milesMax: 90_000, price: 12_345 }),
    })
    await other.context.close()
    const { page } = seller
    await page.goto('/wanted?view=demand')
    await page.getByText(/dealers want/).waitFor()
    t.same(await violationsInBothThemes(page), [])
    await page.getByRole('button', { name: 'Post Inventory' }).click()
    const posting = page.getByRole('dialog')
    await posting.getByLabel('Title').fill('Another Saab')
    await posting.getByLabel('VIN').fill(vins[1])
    for (const [label, value] of [
      ['Year', '2001'],
      ['Make', order.make],
      ['Model', order.model],
      ['Mileage', '70000'],
      ['Price', '13000'],
    ] as const)
      // prettier-ignore
      await posting.getByLabel(label, { exact: true }).fill(value)
    await posting.getByText('1 dealer wants this car').waitFor()
    await posting.getByRole('checkbox', { name: 'Offer it to the best one when I post' }).click()
    await posting.getByRole('button', { name: 'Post Inventory' }).click()
    await page.getByText('Posted and offered').first().waitFor()
    const offers = await (await seller.context.request.get('/api/offers?open=true')).json()
    t.match(
      (offers as { turn: string }[]).filter(({ turn }) => turn === 'buyer'),
      [{ amount: 12_345, source: 'order' }],
    )
    await seller.context.close()
  },
)
