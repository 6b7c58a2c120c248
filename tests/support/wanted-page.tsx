import { show } from './screen.tsx'
import { randomUUID } from 'node:crypto'
import type { Test } from 'tap'
import { WantedPage } from '#client/pages/wanted.tsx'
import { FindAnswer } from '#shared/schemas/find.ts'
import {
  BuyOrder,
  BuyOrderPatch,
  BuyOrders,
  NewBuyOrder,
  type OrderMatch,
  OrderMatches,
  OrderPreview,
} from '#shared/schemas/wanted.ts'
import { answer, fakeNetwork, http, HttpResponse, sent } from './network.ts'
import { me } from './posting.ts'
import { aFound } from './records.ts'

const at = new Date().toISOString()
const noTotals = { active: 0, matchesToday: 0, newMatches: 0, offers: 0, nextAnswerAt: null, bought: 0, perMonth: 0 }

export const anOrder = (about: Partial<BuyOrder> = {}): BuyOrder => ({
  id: randomUUID(),
  make: 'Ford',
  model: 'F-150',
  trims: ['XLT'],
  yearFrom: 2019,
  yearTo: 2021,
  milesMax: 40_000,
  near: '74112',
  within: 300,
  drive: '4wd',
  photosOnly: false,
  price: 30_000,
  perMonth: 3,
  showName: false,
  note: '',
  state: 'active',
  pauseReason: null,
  expiresAt: '2026-12-21T18:00:00.000Z',
  nextMonthAt: '2026-12-01T18:00:00.000Z',
  timeZone: 'America/Chicago',
  bought: 1,
  newMatches: 4,
  onOffer: 83,
  isLow: false,
  version: 1,
  ...about,
})

export const aMatch = (about: Partial<OrderMatch> = {}): OrderMatch => ({
  orderId: randomUUID(),
  at,
  state: 'new',
  offer: 29_400,
  lastOffer: null,
  vehicle: aFound({ vin: null, place: null }),
  ...about,
})

export function wantedNetwork(t: Test, held: { orders?: BuyOrder[]; matches?: OrderMatch[] } = {}) {
  const network = fakeNetwork(t)
  const heard: unknown[] = []
  network.use(
    http.get('*/api/buy-orders', () =>
      answer(BuyOrders, { orders: held.orders ?? [], zip: '75201', totals: { ...noTotals, active: 1, newMatches: 4 } }),
    ),
    http.get('*/api/buy-orders/matches', () => answer(OrderMatches, { items: held.matches ?? [], next: null })),
    http.post('*/api/buy-orders/matches/seen', () => new HttpResponse(null, { status: 204 })),
    http.get('*/api/find', () =>
      answer(FindAnswer, { total: 0, items: [], place: null, home: null, next: null, head: at }),
    ),
    http.post('*/api/buy-orders/preview', () =>
      answer(OrderPreview, {
        onOffer: 83,
        newIn7Days: 12,
        askedQuartiles: [26_400, 28_900, 30_900],
        sold90: { count: 27, median: 28_250 },
        placeKnown: true,
      }),
    ),
    http.post('*/api/buy-orders', async ({ request }) => {
      heard.push(await sent(NewBuyOrder, request))
      return answer(BuyOrder, anOrder())
    }),
    http.patch('*/api/buy-orders/:id', async ({ request, params }) => {
      heard.push({ id: params['id'], ...(await sent(BuyOrderPatch, request)) })
      return answer(BuyOrder, anOrder())
    }),
  )
  return { network, heard }
}

export const openWanted = (t: Test, path = '/wanted') => show(t, <WantedPage />, me, path)
