import { becomes, show } from '#tests/support/screen.tsx'
import { fireEvent } from '@testing-library/react'
import t from 'tap'
import Type from 'typebox'
import { RecommendedSellers } from '#client/features/dealers/recommended-sellers.tsx'
import { OwnNetwork, RecommendedDealer } from '#shared/schemas/connections.ts'
import { answer, fakeNetwork, http, HttpResponse, refusal } from '#tests/support/network.ts'
import { aDealer } from '#tests/support/records.ts'

const [priya, andre] = [aDealer(), aDealer({ name: 'Andre Hayes' })]
const sellers = [priya, andre].map((dealer) => ({ dealer, mutualConnections: 0, why: 'Sells where you buy' }))

t.test('presses in quick succession arrive in their order, and a refusal undoes its own only', async (t) => {
  const network = fakeNetwork(t)
  const asked: string[] = []
  let refuse = () => {}
  const waiting = new Promise<void>((resolve) => (refuse = resolve))
  network.use(
    http.get('*/api/connections', () => answer(OwnNetwork, { connected: [], mutual: [] })),
    http.get('*/api/dealers/recommended', () => answer(Type.Array(RecommendedDealer), sellers)),
    http.post(`*/api/dealers/${priya.id}/connect`, async () => {
      asked.push('connect Priya')
      await waiting
      return refusal(503, 'The database is away')
    }),
    http.post(`*/api/dealers/${andre.id}/connect`, () => {
      asked.push('connect Andre')
      return HttpResponse.json({})
    }),
    http.delete(`*/api/dealers/${andre.id}/connect`, () => {
      asked.push('disconnect Andre')
      return HttpResponse.json({})
    }),
  )
  const { findByRole, findByText } = show(t, <RecommendedSellers onProfile={() => undefined} />)
  const enabled = async (name: string) => {
    const button = await findByRole('button', { name })
    await becomes(t, () => button.hasAttribute('disabled'), false)
    return button
  }
  fireEvent.click(await enabled('Connect with Priya Nair'))
  await findByRole('button', { name: 'Disconnect from Priya Nair' })
  for (const name of ['Connect with Andre Hayes', 'Disconnect from Andre Hayes', 'Connect with Andre Hayes'])
    fireEvent.click(await findByRole('button', { name }))
  await findByRole('button', { name: 'Disconnect from Andre Hayes' })
  await becomes(t, () => asked, ['connect Priya'])
  refuse()
  await findByText('The database is away')
  t.ok(await findByRole('button', { name: 'Connect with Priya Nair' }))
  await becomes(t, () => asked, ['connect Priya', 'connect Andre', 'disconnect Andre', 'connect Andre'])
  t.ok(await findByRole('button', { name: 'Disconnect from Andre Hayes' }))
})
