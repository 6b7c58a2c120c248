import { isOverdue, rejectionOf } from './db.ts'

const batchMax = 64
const sharedWaitMs = 200
/** Limits for keys with a locked row, which run separately. A key starts as `brief`; after a lock timeout, it becomes `patient`. */
const separateLimits = { short: { atOnce: 3, waitMs: sharedWaitMs }, long: { atOnce: 2, waitMs: 3_000 } }

interface Waiting<Request, Answer> {
  request: Request
  resolve: (answer: Answer) => void
  reject: (error: unknown) => void
}

type Batch<Request, Answer> = Waiting<Request, Answer>[]
/** Runs one statement for all requests. All succeed or all fail. Returns the answers in the order of the requests. */
type RunStatement<Request, Answer> = (requests: Request[], lockWaitMs: number) => Promise<(Answer | undefined)[]>

/** The queue of a key that runs separately because one of its rows was locked. */
interface SeparateQueue<Request, Answer> {
  waiting: Batch<Request, Answer>
  timeout: keyof typeof separateLimits
  isRunning: boolean
}

/** Runs a batch. If bad data makes it fail, runs its requests one by one. Returns the requests that a timeout left undone. */
async function runBatch<Request, Answer>(
  runStatement: RunStatement<Request, Answer>,
  batch: Batch<Request, Answer>,
  lockWaitMs: number,
): Promise<{ timedOut: Batch<Request, Answer>; error?: unknown }> {
  try {
    const requests = batch.map(({ request }) => request)
    const answers = await runStatement(requests, lockWaitMs)
    for (const [index, { resolve, reject }] of batch.entries()) {
      const answer = answers[index]
      if (answer === undefined) reject(new Error('a statement left a request unanswered'))
      else resolve(answer)
    }
  } catch (error) {
    if (isOverdue(error)) return { timedOut: batch, error }
    if (batch.length === 1 || rejectionOf(error) === undefined) for (const { reject } of batch) reject(error)
    else
      for (const [index, one] of batch.entries()) {
        const failed = await runBatch(runStatement, [one], lockWaitMs)
        if (failed.timedOut.length > 0) return { ...failed, timedOut: batch.slice(index) }
      }
  }
  return { timedOut: [] }
}

/**
 * Batches requests into one statement at a time. Requests that arrive while the statement runs go into the next batch, so they share one
 * round trip and one commit. Concurrent statements are slower: with four, two nodes on two cores stored half as many messages per second.
 * Requests with the same key run in order of arrival.
 * `decide` must fail after waiting `lockWaitMs` for a row lock. The batch's keys then run separately, so they do not hold up other keys.
 * @throws the error of the statement that ran the request
 */
export function createBatches<Request, Answer>(
  keyOf: (request: Request) => string,
  runStatement: RunStatement<Request, Answer>,
): (request: Request) => Promise<Answer> {
  const waiting: Batch<Request, Answer> = []
  let isDraining = false
  const separateQueues = new Map<string, SeparateQueue<Request, Answer>>()
  const key = ({ request }: Waiting<Request, Answer>) => keyOf(request)

  const runSeparately = async (of: string, queue: SeparateQueue<Request, Answer>): Promise<void> => {
    const { timeout } = queue
    queue.isRunning = true
    while (queue.waiting.length > 0 && queue.timeout === timeout) {
      const { timedOut, error } = await runBatch(
        runStatement,
        queue.waiting.splice(0, batchMax),
        separateLimits[timeout].waitMs,
      )
      if (timeout === 'long') for (const { reject } of timedOut) reject(error)
      else if (timedOut.length > 0) {
        queue.waiting.unshift(...timedOut)
        queue.timeout = 'long'
      }
    }
    queue.isRunning = false
    if (queue.waiting.length === 0) separateQueues.delete(of)
    startSeparateQueues()
  }
  const startSeparateQueues = (): void => {
    for (const [of, queue] of separateQueues) {
      const runningCount = [...separateQueues.values()].filter(
        (other) => other.isRunning && other.timeout === queue.timeout,
      ).length
      if (!queue.isRunning && runningCount < separateLimits[queue.timeout].atOnce) void runSeparately(of, queue)
    }
  }
  const queueSeparately = (batch: Batch<Request, Answer>): void => {
    for (const one of batch) {
      const queue = separateQueues.get(key(one))
      if (queue !== undefined) queue.waiting.push(one)
      else separateQueues.set(key(one), { waiting: [one], timeout: 'short', isRunning: false })
    }
    startSeparateQueues()
  }

  const drain = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, batchMax)
      // Keep the order within a key: these requests must wait for earlier requests that run separately.
      const free = batch.filter((one) => !separateQueues.has(key(one)))
      queueSeparately(batch.filter((one) => separateQueues.has(key(one))))
      if (free.length === 0) continue
      const { timedOut } = await runBatch(runStatement, free, sharedWaitMs)
      queueSeparately(timedOut)
    }
    isDraining = false
  }
  return (request) =>
    new Promise((resolve, reject) => {
      waiting.push({ request, resolve, reject })
      if (isDraining) return
      isDraining = true
      // Start after the current turn of the event loop, so that all requests of this turn share a batch.
      setImmediate(() => void drain())
    })
}
