import { show } from '#tests/support/screen.tsx'
import { screen, within } from '@testing-library/react'
import t from 'tap'
import { RevenueDistribution } from '#client/features/admin/home/admin-revenue.tsx'

const rowTexts = () =>
  within(screen.getByRole('table', { name: 'Revenue by plan and add-on' }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => [...row.children].map(({ textContent }) => textContent))

t.test('sorts plans by revenue and shows each share with one decimal', async (t) => {
  const rows = [
    { id: 'basic', name: 'Basic', users: 3, price: 99, revenue: 297, share: 33.25 },
    { id: 'premium', name: 'Premium', users: 1_200, price: 149, revenue: 178_800, share: 66.7 },
  ]
  show(t, <RevenueDistribution rows={rows} />)
  t.same(rowTexts(), [
    ['Premium', '1,200', '$149', '$178,800', '66.7%'],
    ['Basic', '3', '$99', '$297', '33.3%'],
  ])
  t.same(
    rows.map(({ id }) => id),
    ['basic', 'premium'],
    'the input keeps its order',
  )
})

t.test('shows zeros without revenue and no rows without plans', async (t) => {
  const { unmount } = show(
    t,
    <RevenueDistribution rows={[{ id: 'basic', name: 'Basic', users: 0, price: 99, revenue: 0, share: 0 }]} />,
  )
  t.same(rowTexts(), [['Basic', '0', '$99', '$0', '0.0%']])
  unmount()
  show(t, <RevenueDistribution rows={[]} />)
  t.same(rowTexts(), [])
})
