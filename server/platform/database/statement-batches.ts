import { isOverdue, refusedFor } from './db.ts'

const batchMax = 64
const sharedWaitMs = 200
/** Limits for keys with a locked row, which run separately. A key starts as `brief`; after a lock timeout, it becomes `patient`. */
const separate = { brief: { atOnce: 3, waitMs: sharedWaitMs }, patient: { atOnce: 2, waitMs: 3_000 } }

interface Waiting<Request, Answer> {
  request: Request
  resolve: (answer: Answer) => void
  reject: (error: unknown) => void
}

type Batch<Request, Answer> = Waiting<Request, Answer>[]
/** Runs one statement for all requests. All succeed or all fail. Returns the answers in the order of the requests. */
type Decide<Request, Answer> = (requests: Request[], lockWaitMs: number) => Promise<(Answer | undefined)[]>

/** The queue of a key that runs separately because one of its rows was locked. */
interface Aside<Request, Answer> {
  waiting: Batch<Request, Answer>
  patience: keyof typeof separate
  underWay: boolean
}

/** Runs a batch. If bad data makes it fail, runs its requests one by one. Returns the requests that a timeout left undone. */
async function attempt<Request, Answer>(
  decide: Decide<Request, Answer>,
  batch: Batch<Request, Answer>,
  lockWaitMs: number,
): Promise<{ late: Batch<Request, Answer>; error?: unknown }> {
  try {
    const requests = batch.map(({ request }) => request)
    const answers = await decide(requests, lockWaitMs)
    for (const [index, { resolve, reject }] of batch.entries()) {
      const answer = answers[index]
      if (answer === undefined) reject(new Error('a statement left a request unanswered'))
      else resolve(answer)
    }
  } catch (error) {
    if (isOverdue(error)) return { late: batch, error }
    if (batch.length === 1 || refusedFor(error) === undefined) for (const { reject } of batch) reject(error)
    else
      for (const [index, one] of batch.entries()) {
        const failed = await attempt(decide, [one], lockWaitMs)
        if (failed.late.length > 0) return { ...failed, late: batch.slice(index) }
      }
  }
  return { late: [] }
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
  decide: Decide<Request, Answer>,
): (request: Request) => Promise<Answer> {
  const waiting: Batch<Request, Answer> = []
  let busy = false
  const asides = new Map<string, Aside<Request, Answer>>()
  const key = ({ request }: Waiting<Request, Answer>) => keyOf(request)

  const decideAlone = async (of: string, aside: Aside<Request, Answer>): Promise<void> => {
    const { patience } = aside
    aside.underWay = true
    while (aside.waiting.length > 0 && aside.patience === patience) {
      const { late, error } = await attempt(decide, aside.waiting.splice(0, batchMax), separate[patience].waitMs)
      if (patience === 'patient') for (const { reject } of late) reject(error)
      else if (late.length > 0) {
        aside.waiting.unshift(...late)
        aside.patience = 'patient'
      }
    }
    aside.underWay = false
    if (aside.waiting.length === 0) asides.delete(of)
    startAlone()
  }
  const startAlone = (): void => {
    for (const [of, aside] of asides) {
      const sameUnderWay = [...asides.values()].filter(
        (other) => other.underWay && other.patience === aside.patience,
      ).length
      if (!aside.underWay && sameUnderWay < separate[aside.patience].atOnce) void decideAlone(of, aside)
    }
  }
  const setAside = (batch: Batch<Request, Answer>): void => {
    for (const one of batch) {
      const aside = asides.get(key(one))
      if (aside !== undefined) aside.waiting.push(one)
      else asides.set(key(one), { waiting: [one], patience: 'brief', underWay: false })
    }
    startAlone()
  }

  const drain = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, batchMax)
      // Keep the order within a key: these requests must wait for earlier requests that run separately.
      const free = batch.filter((one) => !asides.has(key(one)))
      setAside(batch.filter((one) => asides.has(key(one))))
      if (free.length === 0) continue
      const { late } = await attempt(decide, free, sharedWaitMs)
      setAside(late)
    }
    busy = false
  }
  return (request) =>
    new Promise((resolve, reject) => {
      waiting.push({ request, resolve, reject })
      if (busy) return
      busy = true
      // Start after the current turn of the event loop, so that all requests of this turn share a batch.
      setImmediate(() => void drain())
    })
}
