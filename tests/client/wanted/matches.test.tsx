import { becomes } from '#tests/support/screen.tsx'
import { act, screen } from '@testing-library/react'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { matchesQuery } from '#client/features/wanted/wanted.api.ts'
import { wantedInbox } from '#client/features/wanted/wanted.live.ts'
import { NewOffer, Offer } from '#shared/schemas/deals.ts'
import { MatchesSeen, type OrderMatch } from '#shared/schemas/wanted.ts'
import { press, says } from '#tests/support/controls.ts'
import { answer, http, HttpResponse, refusal, sent } from '#tests/support/network.ts'
import { aFound, anOffer } from '#tests/support/records.ts'
import { stopTime } from '#tests/support/stopped-time.ts'
import { aMatch, anOrder, openWanted as open, wantedNetwork } from '#tests/support/wanted-page.tsx'

t.test('makes an offer on a match with one click, withdraws it, dismisses it, and loads more', async (t) => {
  const [first, second] = [aMatch(), aMatch({ offer: 30_000, state: 'seen' })]
  const held = { orders: [anOrder()], matches: [first] }
  const { network } = wantedNetwork(t, held)
  const offers: unknown[] = []
  const keys: (string | null)[] = []
  const acts: string[] = []
  const offer = anOffer()
  network.use(
    http.post('*/api/inventory/:id/offers', async ({ request }) => {
      offers.push(await sent(NewOffer, request))
      keys.push(request.headers.get('idempotency-key'))
      return answer(Offer, offer)
    }),
    http.post('*/api/offers/:id/withdraw', () => {
      acts.push('withdraw')
      return answer(Offer, { ...offer, status: 'withdrawn' })
    }),
    http.post('*/api/buy-orders/:order/:vehicle/dismiss', () => {
      acts.push('dismiss')
      held.matches = []
      return new HttpResponse(null, { status: 204 })
    }),
  )
  const { cache } = open(t)
  await press('Offer $29,400 for 2020 Ford F-150 XLT')
  await says('Offered')
  t.same(offers, [{ vehicleId: first.vehicle.vehicleId, amount: 29_400, buyOrderId: first.orderId }])
  await press('Undo')
  await press('Offer $29,400 for 2020 Ford F-150 XLT')
  await becomes(t, () => offers.length, 2)
  t.not(keys[0], keys[1], 'after Undo it is a new offer')
  await press('Undo')
  await press(/^Not this one/)
  await says(/^No matches to review/)
  await becomes(t, () => acts, ['withdraw', 'withdraw', 'dismiss'])
  held.matches = [second]
  wantedInbox.match(cache)
  await says('Offer $30,000')
})

const named = (title: string, about: Partial<OrderMatch> = {}) =>
  aMatch({ ...about, vehicle: aFound({ vehicleId: randomUUID(), title, vin: null, place: null }) })
const last = (status: Offer['status'], turn: Offer['turn'] = 'seller'): Partial<OrderMatch> => ({
  state: 'offered',
  lastOffer: { id: randomUUID(), status, turn },
})
const focusIs = () => document.activeElement?.textContent

t.test("shows a match's offer and its outcome, and links to the vehicle", async (t) => {
  const matches = [
    named('Camry', last('open', 'buyer')),
    named('Civic', last('open')),
    named('Accord', last('declined')),
    named('Ranger', last('expired')),
    named('Soul', last('ended')),
    named('Edge', { state: 'seen' }),
  ]
  wantedNetwork(t, { orders: [anOrder()], matches })
  open(t)
  await says('Offered to you')
  t.equal(screen.getByRole('link', { name: 'Answer' }).getAttribute('href'), '/deals')
  t.equal(screen.getByRole('link', { name: 'View offer' }).getAttribute('href'), '/deals')
  t.ok(screen.getByText('Declined'))
  t.ok(screen.getByText('Not answered in time'))
  t.ok(screen.getByText('Ended by the seller'))
  t.equal(screen.getAllByRole('button', { name: /^Offer again \$29,400 for (Accord|Ranger|Soul)$/ }).length, 3)
  t.equal(screen.getAllByRole('button', { name: /^Not this one: (Accord|Ranger|Soul|Edge)$/ }).length, 4)
  t.ok(screen.getByRole('button', { name: 'Offer $29,400 for Edge' }))
  const { vehicle } = matches[0] ?? aMatch()
  t.equal(
    screen.getByRole('link', { name: 'Camry' }).getAttribute('href'),
    `/post/${vehicle.postId}?vehicle=${vehicle.vehicleId}`,
  )
})

t.test('refuses an offer at an outdated price and shows the current one', async (t) => {
  const held = { orders: [anOrder()], matches: [named('Camry')] }
  const { network } = wantedNetwork(t, held)
  network.use(
    http.post('*/api/inventory/:id/offers', () => {
      held.matches = held.matches.map((match) => ({ ...match, offer: 25_000 }))
      return refusal(409, 'The seller now asks $25,000. Review the price and offer again')
    }),
  )
  open(t)
  await press('Offer $29,400 for Camry')
  await says(/The seller now asks \$25,000/)
  await screen.findByRole('button', { name: 'Offer $25,000 for Camry' })
})

t.test('marks a match as seen only in a visible tab', async (t) => {
  const { network } = wantedNetwork(t, { orders: [anOrder()] })
  const seen: string[][] = []
  network.use(
    http.post('*/api/buy-orders/matches/seen', async ({ request }) => {
      seen.push((await sent(MatchesSeen, request)).vehicleIds)
      return new HttpResponse(null, { status: 204 })
    }),
  )
  Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
  t.teardown(() => Reflect.deleteProperty(document, 'visibilityState'))
  const { cache } = open(t)
  await says(/^No matches to review/)
  const time = stopTime(t)
  const pass = (ms: number) => act(() => time.tick(ms))
  const camry = named('Camry')
  const page = { items: [camry, named('Civic', { state: 'seen' })], next: 'more' }
  act(() => void cache.setQueryData(matchesQuery().queryKey, { pages: [page], pageParams: [undefined] }))
  pass(1)
  t.ok(screen.getByText('Camry'))
  pass(60_000)
  // Allow time for a request that the page may have sent.
  await fetch('/api/my-subscription')
  t.same(seen, [])
  Reflect.deleteProperty(document, 'visibilityState')
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
  pass(60_000)
  time.reset()
  await becomes(t, () => seen, [[camry.vehicle.vehicleId]])
})

t.test('focuses the match a notification links to', async (t) => {
  const matches = [named('Camry'), named('Civic')]
  wantedNetwork(t, { orders: [anOrder()], matches })
  open(t, `/wanted?vehicle=${matches[1]?.vehicle.vehicleId}`)
  await becomes(t, focusIs, 'Civic')
})

t.test('moves the focus to the next match, and to the heading after the last', async (t) => {
  const held = { orders: [anOrder()], matches: [named('Camry'), named('Civic')] }
  const { network } = wantedNetwork(t, held)
  const offer = anOffer()
  network.use(
    http.post('*/api/inventory/:id/offers', () => answer(Offer, offer)),
    http.post('*/api/offers/:id/withdraw', () => answer(Offer, { ...offer, status: 'withdrawn' })),
    http.post('*/api/buy-orders/:order/:vehicle/dismiss', ({ params }) => {
      held.matches = held.matches.filter(({ vehicle }) => vehicle.vehicleId !== params['vehicle'])
      return new HttpResponse(null, { status: 204 })
    }),
  )
  open(t)
  const pressFocused = async (name: string) => {
    ;(await screen.findByRole('button', { name })).focus()
    await press(name)
  }
  await pressFocused('Offer $29,400 for Camry')
  await becomes(t, focusIs, 'Undo')
  await pressFocused('Undo')
  await becomes(t, focusIs, 'Civic')
  await pressFocused('Not this one: Camry')
  await becomes(t, focusIs, 'Civic')
  await pressFocused('Not this one: Civic')
  await becomes(t, focusIs, 'Matches')
})

t.test("does not bring back a dismissed match with another match's response", async (t) => {
  const [first, second] = [named('Camry'), named('Civic')]
  const held = { orders: [anOrder()], matches: [first, second] }
  const { network } = wantedNetwork(t, held)
  const arrive: (() => void)[] = []
  network.use(
    http.post('*/api/buy-orders/:order/:vehicle/dismiss', async ({ params }) => {
      await new Promise<void>((resolve) => void arrive.push(resolve))
      held.matches = held.matches.filter(({ vehicle }) => vehicle.vehicleId !== params['vehicle'])
      return new HttpResponse(null, { status: 204 })
    }),
  )
  const { cache } = open(t)
  await press('Not this one: Camry')
  await becomes(t, () => arrive.length, 1)
  await press('Not this one: Civic')
  await becomes(t, () => arrive.length, 2)
  arrive[0]?.()
  await becomes(t, () => [cache.isMutating(), cache.isFetching()], [1, 0])
  t.equal(screen.queryAllByText('Civic').length, 0)
  arrive[1]?.()
  await becomes(t, () => cache.isMutating() + cache.isFetching(), 0)
  await says(/^No matches to review/)
})
