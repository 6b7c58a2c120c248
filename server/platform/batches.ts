import { isOverdue, refusedFor } from './db.ts'

/** Statements under way at once per kind: however many wait for a row lock, most of the pool stays free for others. */
const lanesMax = 4
const heldMax = 2
const batchMax = 64
/** A statement of many waits so long for a lock, and one that is about a single key so long. */
const sharedWaitMs = 200
const ownWaitMs = 3_000

interface Waiting<Request, Answer> {
  request: Request
  resolve: (answer: Answer) => void
  reject: (error: unknown) => void
}

/**
 * Hands requests to one statement many at a time: those that arrive while a statement is under way wait for the next, so
 * that under load many share a round trip and a commit, and alone none waits. `keyOf` is an id in hexadecimal: requests
 * of one key have one lane and are decided in the order in which they came. `decide` is a single statement (all or
 * nothing) that answers in the order of the requests; a batch that one request's data breaks is decided one by one.
 *
 * One that waits longer than `lockWaitMs` for a row is to give up. Its batch is split until the key is found that somebody
 * else holds: what is about that key waits on by itself, a few seconds at most, and the others go on.
 * @throws what the request's own statement throws
 */
export function createBatches<Request, Answer>(
  keyOf: (request: Request) => string,
  decide: (requests: Request[], lockWaitMs: number) => Promise<(Answer | undefined)[]>,
): (request: Request) => Promise<Answer> {
  type Batch = Waiting<Request, Answer>[]
  const lanes = Array.from({ length: lanesMax }, () => ({ waiting: [] as Batch, busy: false }))
  /** What waits for a key that somebody else holds, in the order in which it came. */
  const held = new Map<string, Batch>()
  const heldUnderWay = new Set<string>()
  const key = ({ request }: Waiting<Request, Answer>) => keyOf(request)

  const settle = async (batch: Batch, lockWaitMs: number): Promise<void> => {
    const answers = await decide(
      batch.map(({ request }) => request),
      lockWaitMs,
    )
    for (const [index, { resolve, reject }] of batch.entries()) {
      const answer = answers[index]
      if (answer === undefined) reject(new Error('a statement left a request unanswered'))
      else resolve(answer)
    }
  }
  /** @param runPart is given what may pass without the rest */
  const fail = async (batch: Batch, error: unknown, runPart: (part: Batch) => Promise<void>): Promise<void> => {
    if (batch.length > 1 && refusedFor(error) !== undefined) for (const one of batch) await runPart([one])
    else for (const { reject } of batch) reject(error)
  }

  const runHeld = async (batch: Batch): Promise<void> =>
    settle(batch, ownWaitMs).catch((error: unknown) => fail(batch, error, runHeld))
  const drainHeld = async (heldKey: string, waiting: Batch): Promise<void> => {
    heldUnderWay.add(heldKey)
    while (waiting.length > 0) await runHeld(waiting.splice(0, batchMax))
    held.delete(heldKey)
    heldUnderWay.delete(heldKey)
    startHeld()
  }
  const startHeld = (): void => {
    for (const [heldKey, waiting] of held)
      if (heldUnderWay.size < heldMax && !heldUnderWay.has(heldKey)) void drainHeld(heldKey, waiting)
  }

  const run = async (batch: Batch): Promise<void> => {
    // What came before it is still waiting.
    for (const one of batch) held.get(key(one))?.push(one)
    const free = batch.filter((one) => !held.has(key(one)))
    if (free.length > 0) await settle(free, sharedWaitMs).catch((error: unknown) => runParts(free, error))
  }
  const runParts = async (batch: Batch, error: unknown): Promise<void> => {
    if (!isOverdue(error)) return fail(batch, error, run)
    const keys = [...new Set(batch.map(key))]
    const [first, ...others] = keys
    if (first !== undefined && others.length === 0) {
      held.set(first, batch)
      startHeld()
      return
    }
    const half = new Set(keys.slice(0, keys.length / 2))
    await run(batch.filter((one) => half.has(key(one))))
    await run(batch.filter((one) => !half.has(key(one))))
  }
  const drain = async (lane: (typeof lanes)[number]): Promise<void> => {
    lane.busy = true
    while (lane.waiting.length > 0) await run(lane.waiting.splice(0, batchMax))
    lane.busy = false
  }
  return (request) =>
    new Promise((resolve, reject) => {
      const lane = lanes[Number.parseInt(keyOf(request).slice(-4), 16) % lanesMax]
      if (lane === undefined) throw new Error('a key ends in hexadecimal digits')
      lane.waiting.push({ request, resolve, reject })
      if (!lane.busy) void drain(lane)
    })
}
