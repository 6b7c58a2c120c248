import type { BenchEnv, BenchRow } from './support/bench.ts'
import { raceAuctions } from './support/auction-race.ts'
import { readByTabs } from './support/browser-tabs.ts'
import { sendUnderFaults } from './support/chat-run.ts'
import { restartNodes } from './support/rolling-restart.ts'
import { checkHistories } from './support/stream-check.ts'

export const name = 'What is lost, doubled or out of order while processes die, connections are cut and tabs sleep'

const defaultMessages = 20_000
const defaultFaults = 20

/** A part that fails becomes a row with its error, so that the other parts' results are kept. */
async function rowsOf(name: string, part: () => Promise<BenchRow[]>): Promise<BenchRow[]> {
  try {
    return await part()
  } catch (error) {
    return [
      { figure: name, wrong: 1, note: error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error) },
    ]
  }
}

/** Every figure under `wrong` must be 0. */
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
