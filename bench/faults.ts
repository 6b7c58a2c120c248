import type { BenchEnv, BenchRow } from './support/bench.ts'
import { raceAuctions } from './support/auction-race.ts'
import { readByTabs } from './support/browser-tabs.ts'
import { sendUnderFaults } from './support/chat-run.ts'
import { restartNodes } from './support/rolling-restart.ts'
import fc from 'fast-check'
import { converges } from '#tests/support/stream-histories.ts'

export const name = 'What is lost, doubled or out of order while processes die, connections are cut and tabs sleep'

const defaultMessages = 20_000
const defaultFaults = 20

/** Turns an error into a row, so that the results of the other parts are kept. */
async function rowsOf(name: string, part: () => Promise<BenchRow[]>): Promise<BenchRow[]> {
  try {
    return await part()
  } catch (error) {
    return [
      { figure: name, wrong: 1, note: error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error) },
    ]
  }
}

/** Every number in the column `wrong` must be 0. */
export async function run(env: BenchEnv): Promise<BenchRow[]> {
  const [messages, faults] = [env.messages ?? defaultMessages, env.faults ?? defaultFaults]
  return [
    ...(await rowsOf('messages', () => sendUnderFaults(env, messages, faults))),
    ...(await rowsOf('auctions', () => raceAuctions(env))),
    ...(await rowsOf('restarts', () => restartNodes(env))),
    ...(await rowsOf('tabs', () => readByTabs(env, faults))),
    checkHistories(messages),
  ]
}

const messagesPerHistory = 10
const historiesMin = 2_000

/** Checks that the client's message stream recovers from random histories of lost, repeated and reordered events. */
function checkHistories(messages: number): BenchRow {
  const wanted = Math.max(historiesMin, Math.round(messages / messagesPerHistory))
  const { failed, numRuns, seed } = fc.check(converges, { numRuns: wanted })
  const what = 'random histories of a chat (reordered, repeated, lost) for which a catch-up led to another result'
  return { what: failed ? `${what} (seed ${seed})` : what, counted: numRuns, wrong: failed ? 1 : 0 }
}
