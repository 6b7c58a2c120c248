import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

interface Heard {
  /** Marks received for the first time, again, and out of order. */
  arrived: number
  repeated: number
  disordered: number
  packets: number
  bytes: number
  p50: number
  p99: number
  perSocket: number[]
  /** When each recording socket received which state, in epoch milliseconds. */
  noted: [socket: number, postId: string, seq: number, at: number][]
  waits: number[]
  refused: number
}

export interface Watchers {
  heard(): Promise<Heard>
  stop(): Promise<void>
}

function percentileOf(counted: [ms: number, times: number][], share: number): number {
  const total = counted.reduce((sum, [, times]) => sum + times, 0)
  let left = total * share
  for (const [ms, times] of counted) {
    left -= times
    if (left < 0) return ms
  }
  return Number.NaN
}

/** The mark that watchers look for: `bench-NUMBER-MILLISECONDS-`. */
export const markOf = (number: number): string => `bench-${number}-${Date.now()}-`

/**
 * Opens sockets in a separate process; resolves once all have joined their room.
 * @param perSecond connections per second, regardless of earlier ones; by default in batches
 * @param joins views to send, for all sockets or per socket; by default wait only for the greeting
 * @param notes count events instead of marks, and record auction states on this many sockets
 */
export async function openWatchers(options: {
  url: string
  cookies: string[]
  count: number
  marks?: number
  notes?: number
  joins?: object | object[][]
  perSecond?: number
}): Promise<Watchers> {
  const child = fork(fileURLToPath(new URL('watchers.mjs', import.meta.url)), { execArgv: [] })
  const ended = once(child, 'exit')
  child.send(options)
  await Promise.race([
    once(child, 'message'),
    ended.then(() => {
      throw new Error('the watchers were not let in')
    }),
  ])
  return {
    async heard() {
      child.send({ tell: true })
      const [{ latencies, ...counted }] = (await once(child, 'message')) as [
        Omit<Heard, 'p50' | 'p99'> & { latencies: [number, number][] },
      ]
      return { ...counted, p50: percentileOf(latencies, 0.5), p99: percentileOf(latencies, 0.99) }
    },
    async stop() {
      child.send({ end: true })
      await ended
    },
  }
}
