import { becomes, show } from '#tests/support/screen.tsx'
import { fireEvent } from '@testing-library/react'
import { Suspense } from 'react'
import t, { type Test } from 'tap'
import { Link, Route } from 'wouter'
import { ExtraBoundary, PageBoundary } from '#client/app/page-error.tsx'
import { lazyPart } from '#client/lib/screen/lazy-part.ts'

function Broken({ message }: { message: string }): never {
  throw new Error(message)
}

/** Hides the errors that React logs even if a boundary catches them. */
function silenceConsole(t: Test): void {
  t.capture(console, 'error', () => undefined)
}

t.test('shows an error for a failed page, keeps the rest, and opens other pages', async (t) => {
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

t.test('distinguishes missing code after a deploy from a bug', async (t) => {
  silenceConsole(t)
  const { findByText } = show(
    t,
    <PageBoundary>
      <Broken message="Failed to fetch dynamically imported module: /assets/deals-1a2b.js" />
    </PageBoundary>,
  )
  t.ok(await findByText(/there is a new version/))
})

t.test('keeps the page working when a part beside it fails', async (t) => {
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

/** A lazily loaded component whose code fails to load until `line.isUp` is true. */
function aPart(says: string) {
  const line = { isUp: false, loads: 0 }
  const Part = lazyPart(async () => {
    line.loads += 1
    if (!line.isUp) throw new TypeError('Failed to fetch dynamically imported module: /assets/part-1a2b.js')
    return () => <p>{says}</p>
  })
  return { line, Part }
}

t.test('reloads code that failed to load on click, without reloading the page', async (t) => {
  silenceConsole(t)
  const { line, Part } = aPart('The directory')
  const { findByRole, findByText } = show(
    t,
    <PageBoundary>
      <Suspense fallback="loading">
        <Part />
      </Suspense>
    </PageBoundary>,
  )
  fireEvent.click(await findByRole('button', { name: 'Retry' }))
  await becomes(t, () => line.loads, 2)
  const retry = await findByRole('button', { name: 'Retry' })
  line.isUp = true
  fireEvent.click(retry)
  t.ok(await findByText('The directory'))
  t.equal(line.loads, 3, 'one fetch per click, and none in between')
})

t.test('reloads a failed page on return', async (t) => {
  silenceConsole(t)
  const { line, Part } = aPart('The directory')
  const { findByRole, findByText, getByText } = show(
    t,
    <>
      <Link href="/">Feed</Link>
      <Link href="/dealers">Network</Link>
      <PageBoundary>
        <Suspense fallback="loading">
          <Route path="/">The feed</Route>
          <Route path="/dealers">
            <Part />
          </Route>
        </Suspense>
      </PageBoundary>
    </>,
  )
  fireEvent.click(getByText('Network'))
  t.ok(await findByRole('alert'))
  fireEvent.click(getByText('Feed'))
  t.ok(await findByText('The feed'))
  line.isUp = true
  fireEvent.click(getByText('Network'))
  t.ok(await findByText('The directory'))
})

t.test('reloads failed parts beside the page in place', async (t) => {
  silenceConsole(t)
  const { line, Part } = aPart('The dock')
  const { findByRole, findByText } = show(
    t,
    <ExtraBoundary>
      <Suspense>
        <Part />
      </Suspense>
    </ExtraBoundary>,
  )
  const retry = await findByRole('button', { name: 'Retry' })
  line.isUp = true
  fireEvent.click(retry)
  t.ok(await findByText('The dock'))
})

t.test('renders an already loaded part at once', async (t) => {
  const { line, Part } = aPart('The dock')
  line.isUp = true
  await Part.preload()
  const { getByText } = show(t, <Part />)
  t.ok(getByText('The dock'))
  t.equal(line.loads, 1)
})
