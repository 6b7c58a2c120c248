import { becomes, show } from '#tests/support/screen.tsx'
import { fireEvent, screen } from '@testing-library/react'
import t from 'tap'
import { useLocation } from 'wouter'
import { UpgradeWatch } from '#client/features/billing/upgrade-watch.tsx'
import { WantedPage } from '#client/pages/wanted.tsx'
import { BuyOrder } from '#shared/schemas/wanted.ts'
import { dialogOpen, fill, press, says, textIn } from '#tests/support/controls.ts'
import { answer, http, needsPlan } from '#tests/support/network.ts'
import { me } from '#tests/support/posting.ts'
import { anOrder, wantedNetwork } from '#tests/support/wanted-page.tsx'

const typed = { Make: 'Ford', Model: 'F-150', 'Mileage up to': '40000', 'Price per vehicle': '30000' }

function Pages() {
  const [path, navigate] = useLocation()
  return (
    <>
      <button onClick={() => navigate('/find')}>To Find</button>
      {path === '/wanted' ? <WantedPage /> : null}
    </>
  )
}

t.test('keeps an order that needs a plan while the dealer chooses one', async (t) => {
  const { heard, network } = wantedNetwork(t)
  t.teardown(() => sessionStorage.clear())
  network.use(
    http.post('*/api/buy-orders', () => needsPlan('Subscribe to the Basic Plan or higher to make offers'), {
      once: true,
    }),
  )
  const openPage = () =>
    show(
      t,
      <>
        <WantedPage />
        <UpgradeWatch />
      </>,
      me,
      '/wanted?order=new',
    )
  const { history, unmount } = openPage()
  await says(/^Enter a make and model to see/)
  for (const [label, value] of Object.entries(typed)) fill(label, value)
  await press('Start buy order')
  await says("This form keeps what you've typed until you come back to it.")
  fireEvent.click(screen.getByRole('link', { name: 'Choose a plan' }))
  t.equal(history.at(-1), '/subscribe')
  unmount()
  const again = openPage()
  await says('83 vehicles')
  for (const [label, value] of Object.entries(typed)) t.equal(textIn(label), value, label)
  await press('Start buy order')
  await becomes(t, () => heard.length, 1)
  await becomes(t, dialogOpen, false)
  again.unmount()
  openPage()
  await says(/^Enter a make and model to see/)
  t.equal(textIn('Make'), '', 'a sent order is not kept')
})

t.test('stays on the page that the dealer has opened while an order was being saved', async (t) => {
  const { network } = wantedNetwork(t)
  t.teardown(() => sessionStorage.clear())
  let take = () => {}
  const taken = new Promise<void>((resolve) => (take = resolve))
  network.use(
    http.post('*/api/buy-orders', async () => {
      await taken
      return answer(BuyOrder, anOrder())
    }),
  )
  const { history } = show(t, <Pages />, me, '/wanted?order=new')
  await says(/^Enter a make and model to see/)
  for (const [label, value] of Object.entries(typed)) fill(label, value)
  await press('Start buy order')
  await press('Cancel')
  await becomes(t, dialogOpen, false)
  fireEvent.click(screen.getByText('To Find'))
  take()
  await says('Buy order started')
  t.equal(history.at(-1), '/find')
})
