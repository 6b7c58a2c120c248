import type { BenchEnv, BenchRow } from './support/bench.ts'
import { raceAuctions } from './support/auction-race.ts'
import { readByTabs } from './support/browser-tabs.ts'
import { sendUnderFaults } from './support/chat-run.ts'
import { restartNodes } from './support/rolling-restart.ts'
import { checkHistories } from './support/stream-check.ts'

export const name = 'What is lost, doubled or out of order while processes die, connections are cut and tabs sleep'

const defaultMessages = 20_000
const defaultFaults = 20

/** Every figure under `wrong` has to be 0. */
export async function run(env: BenchEnv): Promise<BenchRow[]> {
  const [messages, faults] = [env.messages ?? defaultMessages, env.faults ?? defaultFaults]
  return [
    ...(await sendUnderFaults(env, messages, faults)),
    ...(await raceAuctions(env)),
    ...(await restartNodes(env)),
    ...(await readByTabs(env, faults)),
    checkHistories(messages),
  ]
}
