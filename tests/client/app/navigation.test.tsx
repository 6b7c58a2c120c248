import { becomes, show } from '#tests/support/screen.tsx'
import { screen, within } from '@testing-library/react'
import t, { type Test } from 'tap'
import { BottomNav } from '#client/app/bottom-nav.tsx'
import { TopBar } from '#client/app/top-bar.tsx'
import { LaneRunning } from '#client/features/lane/lane-running.tsx'
import { LaneRun } from '#shared/schemas/lane.ts'
import { answer, fakeNetwork, http } from '#tests/support/network.ts'
import { aCurrentUser, anAuction } from '#tests/support/records.ts'
import { aRow } from '#tests/support/lane.ts'

const ignore = () => undefined

const linksOf = (name: string) =>
  within(screen.getByRole('navigation', { name }))
    .getAllByRole('link')
    .map((link) => (link.querySelector('.sr-only') ?? link).textContent)

/** Makes every media query for phones match. */
function onPhone(t: Test): void {
  const { matchMedia } = window
  const onPhones = (query: string) => ({ ...matchMedia(query), matches: query.includes('<') })
  Object.assign(window, { matchMedia: onPhones })
  t.teardown(() => void Object.assign(window, { matchMedia }))
}

t.test('lists the places of the product in one order, with words', async (t) => {
  show(t, <TopBar onMenu={ignore} onPostInventory={ignore} />)
  t.same(linksOf('Main').filter(Boolean), ['Feed', 'Find', 'Lane', 'Wanted', 'Deals', 'Network', 'Messages'])
})

t.test('leaves out the places of a dealership for staff without one', async (t) => {
  show(t, <TopBar onMenu={ignore} onPostInventory={ignore} />, aCurrentUser({ role: 'ops', profileComplete: false }))
  t.same(linksOf('Main').filter(Boolean), ['Feed', 'Network', 'Messages'])
})

t.test('adds Lane to the bar of a phone while auctions run', async (t) => {
  onPhone(t)
  const run: LaneRun = { rows: [], next: null, serverNow: '2026-11-22T10:00:00Z' }
  fakeNetwork(t).use(http.get('*/api/lane/run', () => answer(LaneRun, run)))
  const { cache } = show(
    t,
    <>
      <BottomNav onMore={ignore} />
      <LaneRunning />
    </>,
  )
  const places = () => linksOf('Sections')
  await becomes(t, () => cache.getQueryState(['/api/lane', 'running'])?.status, 'success')
  t.same(places(), ['Feed', 'Network', 'Messages'])
  run.rows = [aRow(anAuction())]
  await cache.invalidateQueries()
  await becomes(t, places, ['Feed', 'Lane', 'Network', 'Messages'])
  run.rows = []
  await cache.invalidateQueries()
  await becomes(t, places, ['Feed', 'Network', 'Messages'])
})

t.test('asks for running auctions on phones only', async (t) => {
  fakeNetwork(t)
  const { cache } = show(t, <LaneRunning />)
  t.equal(cache.getQueryState(['/api/lane', 'running']), undefined)
})
