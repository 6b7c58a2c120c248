import { fuzzEvents, fuzzRequests, fuzzSeed, type FuzzReport } from '#tests/support/fuzz.ts'
import type { BenchEnv, BenchRow } from './support/bench.ts'
import { perSecondOf } from './support/measure.ts'

export const name = 'Calls and socket events that our client never sends'

const requests = 100_000
const events = 5_000

async function measure(what: string, work: () => Promise<FuzzReport>): Promise<BenchRow> {
  const began = performance.now()
  const { sent, statuses, faults } = await work()
  if (faults.length > 0) throw new Error(`${what}: answered with a fault of the server\n${faults.join('\n')}`)
  const answered = (from: number, below: number) =>
    [...statuses].reduce((sum, [status, count]) => (status >= from && status < below ? sum + count : sum), 0)
  return {
    what,
    sent,
    'per second': perSecondOf(sent, (performance.now() - began) / 1_000),
    '2xx, 3xx': answered(200, 400),
    '4xx': answered(400, 500),
    '503s': statuses.get(503) ?? 0,
    'other 5xx': faults.length,
  }
}

/** Sends generated requests and socket events. @throws if a response is missing or has a 5xx status other than 503 */
export async function run({ nodes: [url = ''], databaseUrl }: BenchEnv): Promise<BenchRow[]> {
  const [target, seed] = [{ url, databaseUrl }, fuzzSeed()]
  return [
    await measure(`calls, FUZZ_SEED=${seed}`, () => fuzzRequests(target, requests, seed)),
    await measure('socket events', () => fuzzEvents(target, events, seed)),
  ]
}
