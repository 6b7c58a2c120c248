import fc from 'fast-check'
import { converges } from '#tests/support/stream-histories.ts'
import type { BenchRow } from './bench.ts'

const messagesPerHistory = 10
const historiesMin = 2_000

/** Runs the client's reducer over random chat histories, one per ten messages sent. */
export function checkHistories(messages: number): BenchRow {
  const wanted = Math.max(historiesMin, Math.round(messages / messagesPerHistory))
  const { failed, numRuns, seed } = fc.check(converges, { numRuns: wanted })
  const what = 'histories of a chat, in any order, repeated and with loss, of which a catch-up made something else'
  return { what: failed ? `${what} (seed ${seed})` : what, counted: numRuns, wrong: failed ? 1 : 0 }
}
