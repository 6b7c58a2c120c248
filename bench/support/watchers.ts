import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

interface Heard {
  /** Marks heard for the first time by a socket, heard again, and heard after a later one. */
  arrived: number
  repeated: number
  disordered: number
  packets: number
  bytes: number
  p50: number
  p99: number
  /** Events that each socket has heard, where they are noted. */
  perSocket: number[]
  /** When which of them heard which state of which auction, in milliseconds of the epoch. */
  noted: [socket: number, postId: string, seq: number, at: number][]
  /** How long each socket waited to be let in, in milliseconds. */
  waits: number[]
  /** How often one was refused before it was let in. */
  refused: number
}

export interface Watchers {
  /** What all of them have heard so far. */
  heard(): Promise<Heard>
  stop(): Promise<void>
}

/** The millisecond below which `share` of all counted ones lie. */
function percentileOf(counted: [ms: number, times: number][], share: number): number {
  const total = counted.reduce((sum, [, times]) => sum + times, 0)
  let left = total * share
  for (const [ms, times] of counted) {
    left -= times
    if (left < 0) return ms
  }
  return Number.NaN
}

/** What the watchers count, once each: `bench-NUMBER-MILLISECONDS-`. */
export const markOf = (number: number): string => `bench-${number}-${Date.now()}-`

/**
 * Opens so many sockets in a process of their own; resolves when all are in their room.
 * @param perSecond comes whether or not those before are in; without it some at a time
 * @param joins what they have on screen, said with `view`, or of each what it has; without it a greeting is enough
 * @param notes count every event instead of marks, and of so many sockets note the states of auctions
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
