import t from 'tap'
import { violationsInBothThemes } from '#tests/support/axe.ts'
import { openBrowser } from '#tests/support/browser.ts'
import { openDealer } from '#tests/support/dealer-page.ts'
import { startProduct } from '#tests/support/product.ts'

const url = await startProduct(t, { RATE_LIMITS: 'off' })
const browser = await openBrowser(t)

/** Of a make that the demo has none of. */
const order = { make: 'Saab', model: '9-5', miles: '90,000', price: '12500', vin: 'YS3ED48EX13046221' }

t.test(
  'an order is told of what another dealer posts, offers in one press and is filled; sellers see what is wanted',
  async (t) => {
    const [buyer, seller] = [await openDealer(browser, url, 'dana'), await openDealer(browser, url, 'elena')]
    await buyer.page.goto(`/wanted?order=new&mmt=${order.make}~${order.model}`)
    const dialog = buyer.page.getByRole('dialog')
    await dialog.getByLabel('Mileage up to').fill(order.miles)
    await dialog.getByLabel('You pay a car').fill(order.price)
    await dialog.getByRole('button', { name: 'Start buy order' }).click()
    await buyer.page.getByRole('heading', { name: 'Saab 9-5' }).waitFor()
    t.same(await violationsInBothThemes(buyer.page), [])

    const posted = await seller.context.request.post('/api/inventory', {
      headers: { origin: url },
      data: {
        title: 'A clean Saab',
        type: 'single',
        vehicles: [
          {
            vin: order.vin,
            year: 2001,
            make: order.make,
            model: order.model,
            mileage: 80_000,
            price: 12_000,
            city: 'Aurora',
            state: 'CO',
          },
        ],
      },
    })
    t.equal(posted.status(), 201)
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

    const { page } = seller
    await page.goto('/wanted?view=demand')
    await page.getByText(/dealers want/).waitFor()
    t.same(await violationsInBothThemes(page), [])
    await seller.context.close()
  },
)
