import { isOverdue, refusedFor } from './db.ts'

const batchMax = 64
/** A statement of many waits so long for a lock. */
const sharedWaitMs = 200
/** Where keys are decided by themselves: in so many statements at once, each of which waits so long for its key. */
const alone = { brief: { atOnce: 3, waitMs: sharedWaitMs }, patient: { atOnce: 2, waitMs: 3_000 } }

interface Waiting<Request, Answer> {
  request: Request
  resolve: (answer: Answer) => void
  reject: (error: unknown) => void
}

type Batch<Request, Answer> = Waiting<Request, Answer>[]
/** A single statement, all or nothing, that answers in the order of the requests. */
type Decide<Request, Answer> = (requests: Request[], lockWaitMs: number) => Promise<(Answer | undefined)[]>

/** A key that is decided by itself, and what waits for it in the order in which it came. */
interface Aside<Request, Answer> {
  waiting: Batch<Request, Answer>
  patience: keyof typeof alone
  underWay: boolean
}

/** Decides them, where one of them breaks the others one by one. What a held row did not let come to its turn is answered. */
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
 * Hands requests to one statement many at a time: there is one under way, and those that arrive meanwhile wait for the next, so that
 * under load many share a round trip and a commit. More statements at once would each carry less, and take the processors from
 * each other: with four, two nodes on two cores stored half as many messages a second. Requests of one key are decided in the
 * order in which they came; a batch that one request's data breaks is decided one by one.
 *
 * One that waits longer than `lockWaitMs` for a row is to give up. The keys of its batch are then decided each by itself, while
 * the statements of all others go on: first briefly, and the one that somebody else holds a few seconds at most.
 * @throws what the request's own statement throws
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
      const { late, error } = await attempt(decide, aside.waiting.splice(0, batchMax), alone[patience].waitMs)
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
      if (!aside.underWay && sameUnderWay < alone[aside.patience].atOnce) void decideAlone(of, aside)
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
      // What came before it is still waiting.
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
      // Those that arrive in the same turn go with it.
      setImmediate(() => void drain())
    })
}
