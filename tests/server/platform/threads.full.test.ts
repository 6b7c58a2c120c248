import { readdirSync } from 'node:fs'
import { getPriority } from 'node:os'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import type { FindCalls } from '#server/features/find/columns/find-thread.ts'
import {
  createThreads,
  openThread,
  ThreadEnded,
  type ThreadOptions,
  ThreadsBusy,
} from '#server/platform/jobs/threads.ts'
import { patienceMs } from '#tests/support/patience.ts'
import { until } from '#tests/support/wait.ts'

/** Returns a thread program that runs `code` when it receives a message. The code can use `order` and `answer`. */
const program = (code: string) =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`import { parentPort } from 'node:worker_threads'
    const answer = (message) => parentPort.postMessage(message)
    parentPort.once('message', (order) => { ${code} })
    answer('ready')`)}`,
  )

const threads = (code: string, options: Partial<ThreadOptions> = {}) =>
  createThreads<unknown, unknown>({
    program: program(code),
    atOnce: 1,
    waitingMax: 1,
    deadlineMs: patienceMs,
    heapMaxMb: 32,
    ...options,
  })

t.test('ends a thread that takes too long and frees its slot', async (t) => {
  const { run } = threads(`if (order === 'endless') for (;;); answer(order)`, { deadlineMs: 2_000 })
  await t.rejects(run('endless'), new ThreadEnded('time'))
  // On a busy machine, a thread may need more than one try to start.
  t.equal(await until('a thread to start in time', () => run('the next').catch(() => undefined)), 'the next')
})

t.test('ends only the thread that takes too much memory', async (t) => {
  const { run } = threads(`const kept = []; for (;;) kept.push(Array.from({ length: 1_000 }, Math.random))`)
  await t.rejects(run('all of it'), new ThreadEnded('memory'))
})

t.test("rethrows a program's error and rejects an exit without an answer", async (t) => {
  const { run } = threads(`if (order === 'fail') throw new TypeError('order is broken')`)
  await t.rejects(run('fail'), new TypeError('order is broken'))
  await t.rejects(run('end'), /without an answer/)
})

t.test('limits running and waiting work, and lets only background callers wait beyond that', async (t) => {
  const { run } = threads(`answer(order)`)
  const answers: unknown[] = []
  const note = async (order: string, isBackground = false) => answers.push(await run(order, { isBackground }))
  const all = [note('works'), note('background', true), note('background, too', true), note('waits')]
  await t.rejects(run('comes late'), new ThreadsBusy('too many wait for a thread'))
  await Promise.all(all)
  t.same(answers, ['works', 'waits', 'background', 'background, too'])
})

t.test('runs a program from its source', async (t) => {
  const source = pathToFileURL(resolve('server/features/posting/sheets/sheet-thread.ts'))
  const { run } = threads('', { program: source, heapMaxMb: 128 })
  const order = { content: Buffer.from('VIN,Year\n1FTFW1E59NKD69096,2022\n'), place: { city: '', state: '' } }
  t.match(await run({ ...order, vehiclesMax: 1 }), { vehicles: [{ make: 'Ford' }] })
})

t.test("keeps a persistent thread's state, rethrows its errors, and refuses calls after its end", async (t) => {
  const thread = openThread<FindCalls>(pathToFileURL(resolve('server/features/find/columns/find-thread.ts')))
  t.match(await thread.call('vehicles', '7|1|1|1|1|2020|100|10|1|1|1|||0||5|7|0'), { vehicles: 1 })
  const criteria = {
    year: {},
    priceCents: {},
    miles: {},
    connected: false,
    photos: false,
    network: [],
    excluded: [],
    now: 9,
  }
  const page = { sort: 'newest', limit: 5 } as const
  t.same(await thread.call('ask', { criteria, page }), { total: 1, rows: [[7, -5, null]], relaxed: [] })
  await t.rejects(thread.call('ask', {} as never), TypeError)
  t.match(await thread.call('ask', { criteria }), { total: 1 })
  const waits = t.rejects(thread.call('ask', { criteria }), /has ended/)
  thread.close()
  await waits
  await t.rejects(thread.call('ask', { criteria }), /has ended/)
})

t.test('lets a process exit despite a persistent thread', async (t) => {
  const portsThatHold = () => process.getActiveResourcesInfo().filter((one) => one === 'MessagePort').length
  const thread = openThread<FindCalls>(pathToFileURL(resolve('server/features/find/columns/find-thread.ts')))
  await thread.call('vehicles', '7|1|1|1|1|2020|100|10|1|1|1|||0||5|7|0')
  await until('nothing to hold the process', () => portsThatHold() === 0)
  t.match(await thread.call('vehicles', ''), { vehicles: 1 }, 'and it still works afterwards')
  thread.close()
})

t.test("lowers the priority of Find's thread only", { skip: process.platform !== 'linux' }, async (t) => {
  const own = getPriority()
  const priorityOf = (id: string) => {
    try {
      return getPriority(Number(id))
    } catch {
      // The thread ended before its priority was read.
      return own
    }
  }
  const others = () => readdirSync('/proc/self/task').flatMap((id) => (priorityOf(id) === own ? [] : priorityOf(id)))
  await until('those of earlier tests to end', () => others().length === 0)
  const thread = openThread<FindCalls>(pathToFileURL(resolve('server/features/find/columns/find-thread.ts')))
  await thread.call('vehicles', '')
  t.same(others(), own < 5 ? [5] : [])
  thread.close()
})
