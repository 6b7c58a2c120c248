import { refusedFor } from './db.ts'

/** Statements under way at once per kind: however many wait for a row lock, most of the pool stays free for others. */
const lanesMax = 4
const batchMax = 64

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
 * @throws what the request's own statement throws
 */
export function createBatches<Request, Answer>(
  keyOf: (request: Request) => string,
  decide: (requests: Request[]) => Promise<(Answer | undefined)[]>,
): (request: Request) => Promise<Answer> {
  const lanes = Array.from({ length: lanesMax }, () => ({ waiting: [] as Waiting<Request, Answer>[], busy: false }))

  const run = async (batch: Waiting<Request, Answer>[]): Promise<void> => {
    try {
      const answers = await decide(batch.map(({ request }) => request))
      for (const [index, { resolve, reject }] of batch.entries()) {
        const answer = answers[index]
        if (answer === undefined) reject(new Error('a statement left a request unanswered'))
        else resolve(answer)
      }
    } catch (error) {
      if (batch.length > 1 && refusedFor(error) !== undefined) for (const one of batch) await run([one])
      else for (const { reject } of batch) reject(error)
    }
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
