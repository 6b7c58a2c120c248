import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { createThreads, ThreadEnded, type ThreadOptions, ThreadsBusy } from '#server/platform/threads.ts'

/** A program in so many words; it has `order` and `answer`. */
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
    deadlineMs: 60_000,
    heapMaxMb: 32,
    ...options,
  })

t.test('a thread that takes longer than it may is ended, and its place is free again', async (t) => {
  const { run } = threads(`if (order === 'endless') for (;;); answer(order)`, { deadlineMs: 2_000 })
  await t.rejects(run('endless'), new ThreadEnded('time'))
  t.equal(await run('the next'), 'the next')
})

t.test('a thread that takes more memory than it may is ended, and nothing else', async (t) => {
  const { run } = threads(`const kept = []; for (;;) kept.push(Array.from({ length: 1_000 }, Math.random))`)
  await t.rejects(run('all of it'), new ThreadEnded('memory'))
})

t.test('what a program throws is thrown here, and an end without an answer is no answer', async (t) => {
  const { run } = threads(`if (order === 'fail') throw new TypeError('order is broken')`)
  await t.rejects(run('fail'), new TypeError('order is broken'))
  await t.rejects(run('end'), /without an answer/)
})

t.test('so many work at once, so many wait, and only the patient wait behind them', async (t) => {
  const { run } = threads(`answer(order)`)
  const answers: unknown[] = []
  const note = async (order: string, patient = false) => answers.push(await run(order, { patient }))
  const all = [note('works'), note('patient', true), note('patient, too', true), note('waits')]
  await t.rejects(run('comes late'), new ThreadsBusy('too many wait for a thread'))
  await Promise.all(all)
  t.same(answers, ['works', 'waits', 'patient', 'patient, too'])
})

t.test('a program runs from its source', async (t) => {
  const source = pathToFileURL(resolve('server/features/posting/sheet-thread.ts'))
  const { run } = threads('', { program: source, heapMaxMb: 128 })
  const order = { content: Buffer.from('VIN,Year\n1FTFW1E59NKD69096,2022\n'), place: { city: '', state: '' } }
  t.match(await run({ ...order, vehiclesMax: 1 }), { vehicles: [{ make: 'Ford' }] })
})
