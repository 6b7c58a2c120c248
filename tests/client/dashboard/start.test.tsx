import { becomes, show } from '#tests/support/screen.tsx'
import { screen } from '@testing-library/react'
import { useMutation } from '@tanstack/react-query'
import t, { type Test } from 'tap'
import { StartCard } from '#client/features/dashboard/start-card.tsx'
import { StartSteps } from '#shared/schemas/dashboard.ts'
import { press, says } from '#tests/support/controls.ts'
import { answer, fakeNetwork, http } from '#tests/support/network.ts'
import { aCurrentUser } from '#tests/support/records.ts'

function Act({ run }: { run: () => void }) {
  const change = useMutation({ mutationFn: async () => run() })
  return (
    <button type="button" onClick={() => change.mutate()}>
      Act
    </button>
  )
}

function openCard(t: Test, steps: StartSteps, then: StartSteps = null) {
  const held = { steps }
  const opened: string[] = []
  fakeNetwork(t).use(http.get('*/api/dashboard/start', () => answer(StartSteps, held.steps)))
  const shown = show(
    t,
    <>
      <StartCard onPost={() => opened.push('post')} />
      <Act run={() => (held.steps = then)} />
    </>,
    aCurrentUser({ state: 'TX' }),
  )
  return { ...shown, opened }
}

const stepsShown = () => screen.queryAllByRole('listitem').map(({ textContent }) => textContent)

t.test('links each step of a new dealer to its page', async (t) => {
  const { opened } = openCard(t, { posted: false, connected: 0, wanted: false })
  await press('Post a vehicle')
  t.same(opened, ['post'])
  const targets = ['Find dealers', 'New buy order'].map((name) =>
    screen.getByRole('link', { name }).getAttribute('href'),
  )
  t.same(targets, ['/discover?state=TX', '/wanted?order=new'], 'dealers of their state, and the form of a buy order')
})

t.test('ticks finished steps and counts connections', async (t) => {
  openCard(t, { posted: true, connected: 2, wanted: false })
  await says('2 of 3 so far.')
  t.match(stepsShown()[0], /Post one vehicle by VIN, done/)
  t.equal(screen.queryByRole('button', { name: 'Post a vehicle' }), null)
})

t.test('hides the steps once the last one is done', async (t) => {
  openCard(t, { posted: true, connected: 3, wanted: false })
  await says('Tell sellers what you buy')
  await press('Act')
  await becomes(t, stepsShown, [])
  t.equal(screen.queryByText('Three steps to start'), null)
})

t.test('shows no steps to anybody else', async (t) => {
  const { cache } = openCard(t, null)
  await becomes(t, () => cache.getQueryState(['/api/dashboard', 'start'])?.status, 'success')
  t.equal(screen.queryByText('Three steps to start'), null)
})
