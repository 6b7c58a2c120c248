import { becomes, show } from '#tests/support/screen.tsx'
import { fireEvent, screen } from '@testing-library/react'
import { randomUUID } from 'node:crypto'
import { useState } from 'react'
import t, { type Test } from 'tap'
import Type from 'typebox'
import { OfferButton } from '#client/features/deals/offer-button.tsx'
import { VehicleOffer } from '#client/pages/card-offer.tsx'
import { Auction, type AuctionStatus } from '#shared/schemas/auctions.ts'
import { NewOffer, Offer, OfferTerms } from '#shared/schemas/deals.ts'
import { dialogOpen, fill, press, refusalOf, says, textIn } from '#tests/support/controls.ts'
import { answer, away, fakeNetwork, http, refusal, sent } from '#tests/support/network.ts'
import { aCurrentUser, anAuction, anOffer, aPostDetail, aShownVehicle } from '#tests/support/records.ts'

const me = aCurrentUser()
const Offers = Type.Array(Offer)
const { id, name, dealershipName } = me
const buyer = { id, name, dealershipName }

const vehicle = aShownVehicle()

/** Shows a vehicle's offer button. The first offers get `answers` in order, and later offers succeed. */
function openOffering(t: Test, ...answers: (() => Response)[]) {
  const post = aPostDetail({ vehicles: [vehicle] })
  const heard: { amount: number; key: string | null }[] = []
  const offers: Offer[] = []
  const network = fakeNetwork(t)
  network.use(
    http.get('*/api/offers', () => answer(Offers, offers)),
    http.get('*/api/offers/terms', () => answer(OfferTerms, { buyFee: { flat: 250, percent: 0 } })),
    http.post(`*/api/inventory/${post.id}/offers`, async ({ request }) => {
      const key = request.headers.get('idempotency-key')
      const { amount } = await sent(NewOffer, request)
      heard.push({ amount, key })
      const refused = answers.shift()
      if (refused) return refused()
      offers.push(anOffer({ amount, vehicleId: vehicle.id, buyer }))
      return answer(Offer, offers[0]!)
    }),
  )
  t.teardown(() => sessionStorage.clear())
  const view = show(t, <OfferButton post={post} vehicle={vehicle} />, me)
  return { ...view, network, post, heard, offers }
}

t.test('requires an amount for an offer, shows a refusal at the field, then the success', async (t) => {
  const { post, heard } = openOffering(t, () => refusal(429, 'Ten offers an hour are the most'))
  await press('Make offer')
  await says(/asking \$31,900/)
  await press('Send offer')
  await becomes(t, () => refusalOf('Your offer'), 'Enter an amount in dollars')
  fill('Your offer', '999999999')
  await press('Send offer')
  await becomes(t, () => refusalOf('Your offer'), 'Enter $99,999,999 or less')
  t.equal(textIn('Your offer'), '999999999')
  fill('Your offer', '29,500')
  await says('$29,500 + $250 buy fee = $29,750')
  await press('Send offer')
  await becomes(t, () => refusalOf('Your offer'), 'Ten offers an hour are the most')
  t.equal(textIn('Your offer'), '29,500')
  await press('Send offer')
  await says('Offer sent')
  await says(`${post.dealer.name} has 24 hours to answer`)
  await becomes(t, dialogOpen, false)
  await says('Your offer: $29,500')
  t.equal(heard[0]?.key, heard[1]?.key, 'the same amount again is the same offer')
  t.same(Object.keys({ ...sessionStorage }), [], 'unfinished input is dropped')
})

t.test('treats another amount after a lost response as a new offer', async (t) => {
  const { heard } = openOffering(t, away)
  await press('Make offer')
  await says(/asking \$31,900/)
  fill('Your offer', '29,500')
  await press('Send offer')
  await becomes(t, () => refusalOf('Your offer'), 'The database is away')
  fill('Your offer', '30,000')
  await press('Send offer')
  await says('Your offer: $30,000')
  t.same(
    heard.map(({ amount }) => amount),
    [29_500, 30_000],
  )
  t.not(heard[0]?.key, heard[1]?.key)
})

t.test('restores an unfinished amount after closing', async (t) => {
  openOffering(t)
  await press('Make offer')
  await says(/asking \$31,900/)
  fill('Your offer', '29,')
  await press('Cancel')
  await becomes(t, dialogOpen, false)
  await press('Make offer')
  await says(/asking \$31,900/)
  t.equal(textIn('Your offer'), '29,')
})

t.test('keeps the dialog of a vehicle sold meanwhile and explains it on Send', async (t) => {
  const post = aPostDetail({ vehicles: [vehicle] })
  const sold = { ...vehicle, status: 'sold' } as const
  fakeNetwork(t).use(
    http.get('*/api/offers', () => answer(Offers, [])),
    http.get('*/api/offers/terms', () => answer(OfferTerms, { buyFee: { flat: 250, percent: 0 } })),
    http.post(`*/api/inventory/${post.id}/offers`, () => refusal(409, 'This vehicle is sold')),
  )
  function Card() {
    const [isSold, setIsSold] = useState(false)
    return (
      <>
        <OfferButton post={post} vehicle={isSold ? sold : vehicle} />
        <button onClick={() => setIsSold(true)}>Sold elsewhere</button>
      </>
    )
  }
  show(t, <Card />, me)
  await press('Make offer')
  await says(/asking \$31,900/)
  fill('Your offer', '29,500')
  fireEvent.click(screen.getByText('Sold elsewhere'))
  t.equal(screen.queryByRole('button', { name: 'Make offer', hidden: true }), null)
  t.equal(textIn('Your offer'), '29,500')
  await press('Send offer')
  await becomes(t, () => refusalOf('Your offer'), 'This vehicle is sold')
  await press('Cancel')
  await becomes(t, dialogOpen, false)
})

t.test('takes bids on the first vehicle of a running auction and offers on the others', async (t) => {
  const vehicles = ['F-150', 'Ranger'].map((model) => aShownVehicle({ id: randomUUID(), model }))
  const post = aPostDetail({ hasAuction: true, vehicleCount: 2, vehicles })
  const held: { status: AuctionStatus } = { status: 'open' }
  fakeNetwork(t).use(
    http.get('*/api/offers', () => answer(Offers, [])),
    http.get(`*/api/inventory/${post.id}/auction`, () => answer(Auction, anAuction({ postId: post.id, ...held }))),
  )
  const { cache } = show(
    t,
    vehicles.map((vehicle) => <VehicleOffer key={vehicle.id} post={post} vehicle={vehicle} />),
    me,
  )
  await says('In the auction')
  const buttons = () => screen.getAllByRole('button', { name: 'Make offer' }).length
  t.equal(buttons(), 1)
  held.status = 'deciding'
  await cache.refetchQueries()
  t.equal(buttons(), 1, 'while the seller decides')
  held.status = 'no_sale'
  await cache.refetchQueries()
  await becomes(t, buttons, 2)
})

t.test('tells a dealer who closed the dialog why the offer was refused', async (t) => {
  let refuse = () => {}
  const refused = new Promise<void>((resolve) => (refuse = resolve))
  const { post, network, heard } = openOffering(t)
  network.use(
    http.post(`*/api/inventory/${post.id}/offers`, async () => {
      heard.push({ amount: 0, key: null })
      await refused
      return refusal(409, 'This vehicle is sold')
    }),
  )
  await press('Make offer')
  await says(/asking \$31,900/)
  fill('Your offer', '29,500')
  await press('Send offer')
  await becomes(t, () => heard.length, 1)
  await press('Cancel')
  await becomes(t, dialogOpen, false)
  refuse()
  await says('Offer not sent')
  await says('This vehicle is sold')
})

t.test("links a seller's offer to the page where the buyer answers it", async (t) => {
  const { offers } = openOffering(t)
  offers.push(anOffer({ amount: 21_000, vehicleId: vehicle.id, buyer, turn: 'buyer' }))
  const link = await screen.findByRole('link', { name: 'Offered to you: $21,000' })
  t.equal(link.getAttribute('href'), '/deals')
})
