import { becomes, show } from '#tests/support/screen.tsx'
import { fireEvent, screen } from '@testing-library/react'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import Type from 'typebox'
import { ConnectionRequests } from '#client/features/deals/connection-requests.tsx'
import { ConnectionRequest } from '#shared/schemas/dealers.ts'
import { answer, fakeNetwork, http } from '#tests/support/network.ts'

const Requests = Type.Array(ConnectionRequest)
const requests = Array.from({ length: 5 }, (_, n) => ({
  id: randomUUID(),
  createdAt: '2026-11-20T10:00:00.000Z',
  requester: { id: randomUUID(), name: `Dealer ${n}`, avatar: null, dealershipName: 'Some Motors' },
}))

t.test('shows three requests in the panel with a link, and all of them in Deals', async (t) => {
  fakeNetwork(t).use(http.get('*/api/connections/requests/:id', () => answer(Requests, requests)))
  const panel = show(t, <ConnectionRequests />)
  await becomes(t, () => screen.queryAllByRole('button', { name: /^Accept/ }).length, 3)
  t.equal(screen.getByRole('link', { name: 'View all 5 requests' }).getAttribute('href'), '/deals')
  panel.unmount()
  show(t, <ConnectionRequests all />)
  await becomes(t, () => screen.queryAllByRole('button', { name: /^Accept/ }).length, 5)
  t.equal(screen.queryByRole('link', { name: /^View all/ }), null)
})

t.test('focuses the same answer of the next row, or of the previous one after the last', async (t) => {
  const answered: string[] = []
  fakeNetwork(t).use(
    http.get('*/api/connections/requests/:id', () => answer(Requests, requests)),
    http.post('*/api/connections/requests/:id/:answer', ({ params }) => {
      answered.push(String(params['answer']))
      return answer(Type.Object({}), {})
    }),
  )
  show(t, <ConnectionRequests all />)
  const press = async (name: string) => {
    const button = await screen.findByRole('button', { name })
    button.focus()
    fireEvent.click(button)
  }
  const hasFocus = (name: string) => becomes(t, () => document.activeElement?.getAttribute('aria-label'), name)
  await press('Accept Dealer 1')
  await hasFocus('Accept Dealer 2')
  await press('Decline Dealer 2')
  await hasFocus('Decline Dealer 3')
  await press('Accept Dealer 4')
  await hasFocus('Accept Dealer 3')
  await becomes(t, () => answered, ['accept', 'decline', 'accept'])
})
