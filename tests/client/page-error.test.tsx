import { show } from '#tests/support/screen.tsx'
import { fireEvent } from '@testing-library/react'
import t, { type Test } from 'tap'
import { Link, Route } from 'wouter'
import { ExtraBoundary, PageBoundary } from '#client/app/page-error.tsx'

function Broken({ message }: { message: string }): never {
  throw new Error(message)
}

/** React reports what a boundary catches to the console; these tests break things on purpose. */
function silenceConsole(t: Test): void {
  t.capture(console, 'error', () => undefined)
}

t.test('a page that fails says so, the rest stays, and another page works', async (t) => {
  silenceConsole(t)
  const { findByRole, findByText, getByText, queryByRole } = show(
    t,
    <>
      <Link href="/dealers">Network</Link>
      <PageBoundary>
        <Route path="/">
          <Broken message="a bug" />
        </Route>
        <Route path="/dealers">The directory</Route>
      </PageBoundary>
    </>,
  )
  t.match((await findByRole('alert')).textContent, 'This page stopped working')
  t.ok(await findByRole('button', { name: 'Reload' }))
  fireEvent.click(getByText('Network'))
  t.ok(await findByText('The directory'))
  t.equal(queryByRole('alert'), null)
})

t.test('a part of the app that is gone from the server is told from a bug', async (t) => {
  silenceConsole(t)
  const { findByText } = show(
    t,
    <PageBoundary>
      <Broken message="Failed to fetch dynamically imported module: /assets/deals-1a2b.js" />
    </PageBoundary>,
  )
  t.ok(await findByText(/there is a new version/))
})

t.test('what hangs beside the page fails by itself', async (t) => {
  silenceConsole(t)
  const { findByText } = show(
    t,
    <>
      The feed
      <ExtraBoundary>
        <Broken message="a bug" />
      </ExtraBoundary>
    </>,
  )
  t.ok(await findByText(/A part of the page stopped working/))
  t.ok(await findByText(/The feed/))
})
