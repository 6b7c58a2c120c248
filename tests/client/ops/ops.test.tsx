import { becomes, show } from '#tests/support/screen.tsx'
import { act, fireEvent, screen, within } from '@testing-library/react'
import { useState } from 'react'
import t, { type Test } from 'tap'
import { FailedJobsCard } from '#client/features/ops/ops-failed-jobs.tsx'
import { OpsHeader, OpsQueues } from '#client/features/ops/ops-queues.tsx'
import { OpsSummary } from '#client/features/ops/ops-summary.tsx'
import { AdminQueuesPage } from '#client/pages/admin/admin-queues-page.tsx'
import { opsLive } from '#client/features/ops/ops.live.ts'
import {
  type FailedJob,
  FailedJobs,
  JobRefs,
  JobsTouched,
  type OpsFigures,
  OpsOverview,
  type OpsRange,
  QueueChoice,
  type QueueFigures,
} from '#shared/schemas/ops.ts'
import { NotificationsPage } from '#shared/schemas/notifications.ts'
import { aCurrentUser } from '#tests/support/records.ts'
import { choose, dialogOpen, gone, press, says, showsItsStates } from '#tests/support/controls.ts'
import { answer, away, fakeNetwork, http, HttpResponse, refuseFirst, sent } from '#tests/support/network.ts'

const at = '2026-11-20T10:00:00.000Z'

function aQueue(about: Partial<QueueFigures> = {}): QueueFigures {
  return {
    name: 'photos',
    waiting: 0,
    active: 0,
    failed: 0,
    delayed: 0,
    perMinute: 7,
    p95Ms: 1_240,
    oldestMs: null,
    workers: 2,
    paused: false,
    state: 'healthy',
    why: 'Jobs finish as they arrive',
    ...about,
  }
}

function figuresOf(queues: QueueFigures[], about: Partial<OpsFigures> = {}): OpsFigures {
  const outbox = { due: 0, failed: 0, oldestMs: null }
  return { at, queues, nodes: [], outbox, redis: { ok: true, memoryMb: 12 }, liveAuctions: 1, ...about }
}

const overviewOf = (figures: OpsFigures): OpsOverview => ({
  figures,
  throughput: { photos: [1, 2, 3] },
  completed: 321,
})

function aJob(id: string, about: Partial<FailedJob> = {}): FailedJob {
  return {
    id,
    queue: 'photos',
    name: 'photo.process',
    error: 'No space left on the device',
    attempts: 5,
    maxAttempts: 5,
    createdAt: at,
    failedAt: at,
    payload: { objectId: id },
    ...about,
  }
}

/** Shows failed jobs. `total` can be larger than the number of listed jobs. */
function openFailed(t: Test, jobs: FailedJob[], total = jobs.length) {
  const network = fakeNetwork(t)
  const asked: string[] = []
  network.use(
    http.get('*/api/ops/jobs/failed', ({ request }) => {
      asked.push(new URL(request.url).search)
      return answer(FailedJobs, { jobs, total })
    }),
  )
  show(t, <FailedJobsCard queues={['mail', 'photos']} />)
  return { network, asked }
}

t.test('shows loading, error, retry and empty states of failed jobs', async (t) => {
  const network = fakeNetwork(t)
  network.use(http.get('*/api/ops/jobs/failed', () => answer(FailedJobs, { jobs: [], total: 0 })))
  const refuse = refuseFirst(network, '*/api/ops/jobs/failed')
  show(t, <FailedJobsCard queues={['photos']} />)
  await showsItsStates(t, {
    loading: 'Loading failed jobs',
    failure: 'Failed jobs could not be loaded',
    empty: 'No failed jobs',
    refuse,
  })
})

t.test('retries chosen jobs together and keeps the choice after a refusal', async (t) => {
  const { network } = openFailed(t, [aJob('1'), aJob('2', { queue: 'mail' }), aJob('3')])
  const heard: JobRefs[] = []
  network.use(
    http.post('*/api/ops/jobs/retry', async ({ request }) => {
      heard.push(await sent(JobRefs, request))
      return heard.length === 1 ? away() : answer(JobsTouched, { count: 2 })
    }),
  )
  for (const name of ['Select 1', 'Select 2', 'Select 3', 'Select 3'])
    fireEvent.click(await screen.findByRole('checkbox', { name }))
  await press('Retry selected (2)')
  await says('The database is away')
  await press('Retry selected (2)')
  await says('2 jobs retried')
  await says('Retry selected (0)')
  const jobs = [
    { queue: 'photos', id: '1' },
    { queue: 'mail', id: '2' },
  ]
  t.same(heard, [{ jobs }, { jobs }])
})

t.test('confirms a retry of more than fifty, limited to the chosen queue', async (t) => {
  const { network, asked } = openFailed(t, [aJob('1')], 51)
  const heard: unknown[] = []
  network.use(
    http.post('*/api/ops/jobs/retry-all', async ({ request }) => {
      heard.push(await sent(QueueChoice, request))
      return heard.length === 1 ? away() : answer(JobsTouched, { count: 51 })
    }),
  )
  await says('photo.process')
  await choose('Queue', 'photos')
  await becomes(t, () => asked.at(-1), '?queue=photos')
  await says('photo.process')
  await press('Retry all')
  await says('Retry 51 jobs?')
  t.same(heard, [], 'not yet')
  await press('Retry all')
  await says('The database is away')
  await says('Retry 51 jobs?')
  await press('Retry all')
  await says('51 jobs retried')
  await gone(t, 'Retry 51 jobs?')
  t.same(heard, [{ queue: 'photos' }, { queue: 'photos' }])
})

t.test('shows a job and discards it after a confirmation, which a refusal leaves open', async (t) => {
  const { network } = openFailed(t, [aJob('1')])
  const heard: JobRefs[] = []
  network.use(
    http.post('*/api/ops/jobs/discard', async ({ request }) => {
      heard.push(await sent(JobRefs, request))
      return heard.length === 1 ? away() : answer(JobsTouched, { count: 1 })
    }),
    http.post('*/api/ops/jobs/retry', async ({ request }) => {
      heard.push(await sent(JobRefs, request))
      return away()
    }),
  )
  await press('Retry photo.process 1')
  await says('The database is away')
  heard.length = 0
  await press('View photo.process 1')
  await says(/"objectId": "1"/)
  await press('Discard')
  await says('Discard this job?')
  await press('Discard')
  await says('The database is away')
  await says('Discard this job?')
  await press('Discard')
  await says('1 job discarded')
  await becomes(t, dialogOpen, false)
  const jobs = [{ queue: 'photos', id: '1' }]
  t.same(heard, [{ jobs }, { jobs }])
})

function Screen() {
  const [range, setRange] = useState<OpsRange>('15m')
  return (
    <>
      <OpsHeader range={range} onRange={setRange} />
      <OpsQueues range={range} />
    </>
  )
}

/** Shows the queues. Requests fail while `server.overview` is undefined. */
function openQueues(t: Test, children = <Screen />, me = aCurrentUser()) {
  const server: { overview: OpsOverview | undefined } = { overview: overviewOf(figuresOf([aQueue()])) }
  const network = fakeNetwork(t)
  const asked: string[] = []
  const lists = { failed: 0 }
  network.use(
    http.get('*/api/ops/queues', ({ request }) => {
      asked.push(new URL(request.url).search)
      return server.overview ? answer(OpsOverview, server.overview) : away()
    }),
    http.get('*/api/ops/jobs/failed', () => {
      lists.failed += 1
      return answer(FailedJobs, { jobs: [], total: 0 })
    }),
    http.get('*/api/notifications', () =>
      answer(NotificationsPage, { items: [], unread: 0, more: false, latestPush: null }),
    ),
  )
  return { ...show(t, children, me), network, server, asked, lists }
}

t.test('shows why queues failed to load and loads the chosen period on Retry', async (t) => {
  const network = fakeNetwork(t)
  const asked: string[] = []
  network.use(
    http.get('*/api/ops/queues', ({ request }) => {
      asked.push(new URL(request.url).search)
      return answer(OpsOverview, overviewOf(figuresOf([aQueue()])))
    }),
    http.get('*/api/ops/jobs/failed', () => answer(FailedJobs, { jobs: [], total: 0 })),
  )
  const refuse = refuseFirst(network, '*/api/ops/queues')
  show(t, <Screen />)
  await says('Loading queues')
  refuse()
  t.match((await screen.findByRole('alert')).textContent, /The queues could not be loaded.*The database is away/)
  await press('Retry')
  await says('321')
  fireEvent.click(screen.getByRole('radio', { name: '24 h' }))
  await says('Last day, one point per 24 minutes')
  await becomes(t, () => asked, ['?range=15m', '?range=24h'])
})

t.test('describes problems of a queue, and a missing Redis, in words', async (t) => {
  const failing = aQueue({ name: 'mail', state: 'failing', failed: 4, why: '4 jobs failed in a row', oldestMs: 61_000 })
  const { server, cache } = openQueues(t)
  server.overview = overviewOf(figuresOf([aQueue(), failing]))
  await says('4 in mail')
  t.match(screen.getByText('(failing): 4 jobs failed in a row', { exact: false }).textContent, /^mail/)
  server.overview = overviewOf(figuresOf([], { redis: { ok: false, memoryMb: null } }))
  await act(() => cache.invalidateQueries())
  await says('Queue status unavailable: Redis is not responding.')
  await says('No processes are reporting: Redis is not responding.')
  t.equal(screen.getAllByText('Unknown').length, 6, 'and no total claims that nothing is waiting or failed')
  t.equal(screen.queryByText('Nothing waiting'), null)
})

t.test('shows the state of Find for each process that serves requests', async (t) => {
  const { server, cache } = openQueues(t)
  const pool = { total: 4, idle: 3, waiting: 0 }
  const node = { roles: 'api', sockets: 1, rooms: 2, loopP99Ms: 12, memoryMb: 300, pool, startedAt: at, reportedAt: at }
  const find = { state: 'ready', vehicles: 2_031, ageMs: 61_000, memoryMb: 48 } as const
  const none = { vehicles: 0, ageMs: null, memoryMb: null }
  const states = [
    find,
    { ...find, ageMs: null, memoryMb: null },
    ...(['loading', 'off'] as const).map((state) => ({ state, ...none })),
  ]
  const nodes = states.map((state, place) => ({ ...node, node: `n${place}`, silent: false, find: state }))
  server.overview = overviewOf(figuresOf([], { nodes: [...nodes, { ...node, node: 'worker', silent: true }] }))
  await act(() => cache.invalidateQueries())
  const table = await screen.findByRole('table', { name: 'Processes' })
  const column = within(table)
    .getAllByRole('columnheader')
    .findIndex(({ textContent }) => textContent === 'Find')
  await becomes(
    t,
    () =>
      within(table)
        .getAllByRole('row')
        .slice(1)
        .map((row) => within(row).getAllByRole('cell')[column]?.textContent),
    ['2,031 vehicles, 1:01 old, 48 MB', '2,031 vehicles', 'Loading', 'Not loaded yet', '–'],
  )
})

t.test('pauses a queue and leaves it running after a refusal', async (t) => {
  const { network, server } = openQueues(t)
  let presses = 0
  network.use(
    http.post('*/api/ops/queues/photos/pause', () => {
      presses += 1
      if (presses === 1) return away()
      server.overview = overviewOf(figuresOf([aQueue({ paused: true, state: 'paused' })]))
      return new HttpResponse(null, { status: 204 })
    }),
  )
  await press('Pause photos')
  await says('The database is away')
  await press('Pause photos')
  await says('photos paused')
  t.ok(await screen.findByRole('button', { name: 'Resume photos' }))
})

t.test("shows the number of failing queues in the tab's title and icon", async (t) => {
  const icon = document.head.appendChild(document.createElement('link'))
  Object.assign(icon, { rel: 'icon', href: '/favicon.svg' })
  t.teardown(() => icon.remove())
  const { network, cache } = openQueues(t, <AdminQueuesPage />, aCurrentUser({ role: 'ops' }))
  network.use(http.get('*/favicon.svg', () => new HttpResponse('<svg viewBox="0 0 28 28"></svg>')))
  const push = (when: string, ...failed: number[]) =>
    act(() => {
      const queues = failed.map((count, place) => aQueue({ name: `queue ${place}`, failed: count }))
      opsLive['ops.queues'](cache, figuresOf(queues, { at: `2026-11-20T10:00:${when}.000Z` }))
    })
  const badge = () => />([^<]+)<\/text>/.exec(decodeURIComponent(icon.href))?.[1]
  await says('321')
  t.equal(document.title, 'Queues · Lanewire')
  push('01', 3, 0, 1)
  await becomes(t, () => [document.title, badge()], ['(2) Queues · Lanewire', '2'])
  push('02', 0, 0, 1)
  await becomes(t, () => [document.title, badge()], ['(1) Queues · Lanewire', '1'])
  push('03', 0, 0, 0)
  await becomes(t, () => [document.title, icon.href], ['Queues · Lanewire', 'http://localhost/favicon.svg'])
})

t.test('applies newer figures only and reloads failed jobs when their number changes', async (t) => {
  const { cache, lists } = openQueues(t)
  await says('321')
  await becomes(t, () => lists.failed, 1)
  const push = (when: string, waiting: number, failed = 0) =>
    act(() => opsLive['ops.queues'](cache, figuresOf([aQueue({ waiting, failed })], { at: when })))
  push('2026-11-20T10:00:02.000Z', 812)
  await becomes(t, () => screen.queryAllByText('812').length, 2)
  push('2026-11-20T10:00:01.000Z', 900)
  await becomes(t, () => [screen.queryAllByText('812').length, screen.queryAllByText('900').length], [2, 0])
  t.equal(lists.failed, 1, 'their order did not change')
  push('2026-11-20T10:00:03.000Z', 812, 1)
  await becomes(t, () => lists.failed, 2)
})

t.test('keeps the short queue list that could not be refreshed and marks it as stale', async (t) => {
  const { cache, server } = openQueues(t, <OpsSummary />)
  await says('photos')
  server.overview = undefined
  await act(() => cache.invalidateQueries())
  t.match((await screen.findByRole('alert')).textContent, /The database is away/)
  await says('photos')
  server.overview = overviewOf(figuresOf([aQueue({ waiting: 812 })]))
  await press('Retry')
  await says('812')
  await becomes(t, () => screen.queryByRole('alert'), null)
})
