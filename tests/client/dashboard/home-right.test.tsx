import { becomes, show } from '#tests/support/screen.tsx'
import { screen } from '@testing-library/react'
import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import Type from 'typebox'
import { dealCountsQuery } from '#client/features/deals/deals.api.ts'
import { HomeRight } from '#client/pages/home-columns.tsx'
import { ConnectionRequest } from '#shared/schemas/dealers.ts'
import { Deal, DealCounts } from '#shared/schemas/deals.ts'
import { answer, fakeNetwork, http } from '#tests/support/network.ts'
import { aCurrentUser, aDealer } from '#tests/support/records.ts'

const counts = (turn: number): DealCounts => ({ turn, waiting: 2, completed: 0, cancelled: 0 })

function openColumn(t: Test, turn: number, requests: ConnectionRequest[] = []) {
  fakeNetwork(t).use(
    http.get('*/api/deals/counts', () => answer(DealCounts, counts(turn))),
    http.get('*/api/deals/:id', () => answer(Type.Array(Deal), [])),
    http.get('*/api/connections/requests/:id', () => answer(Type.Array(ConnectionRequest), requests)),
  )
  return show(t, <HomeRight />, aCurrentUser())
}

const headings = () => screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)
const dealSections = ['Active Deals', 'Connection Requests', 'Profile Info', 'Completed Deals']

t.test('shows the news above the deals when there is nothing to decide', async (t) => {
  const { cache } = openColumn(t, 0)
  await becomes(t, () => screen.queryAllByRole('heading', { level: 2 }).length, 5)
  t.same(headings(), ['Wholesale News', ...dealSections])
  cache.setQueryData(dealCountsQuery().queryKey, counts(1))
  await screen.findByText('No connection requests')
  t.same(headings(), ['Wholesale News', ...dealSections], 'nothing moves while it is read')
})

t.test('shows the deals first when a deal waits for the dealer', async (t) => {
  openColumn(t, 1)
  await becomes(t, () => screen.queryAllByRole('heading', { level: 2 }).length, 5)
  t.same(headings(), [...dealSections, 'Wholesale News'])
})

t.test('shows the deals first when somebody asks to connect', async (t) => {
  const { id, name, avatar, dealershipName } = aDealer()
  const createdAt = '2026-11-20T10:00:00.000Z'
  openColumn(t, 0, [{ id: randomUUID(), createdAt, requester: { id, name, avatar, dealershipName } }])
  await becomes(t, () => screen.queryAllByRole('heading', { level: 2 }).length, 5)
  t.same(headings(), [...dealSections, 'Wholesale News'])
})
