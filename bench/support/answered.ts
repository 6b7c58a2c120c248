import { setTimeout as wait } from 'node:timers/promises'
import type { Answer } from './calls.ts'

const retryMs = 50

/** Repeats a request that failed or got a 503, as the client does for unsent messages. */
export async function untilAnswered(ask: (turn: number) => Promise<Answer>, onRetry: () => void): Promise<Answer> {
  for (let turn = 0; ; turn += 1) {
    const answer = await ask(turn).catch(() => undefined)
    if (answer !== undefined && answer.status !== 503) return answer
    onRetry()
    await wait(retryMs)
  }
}
