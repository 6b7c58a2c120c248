import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

interface Heard {
  packets: number
  bytes: number
  perSocket: number[]
  /** The states that each recording socket received, with the times in milliseconds since 1970. */
  noted: [socket: number, postId: string, seq: number, at: number][]
  waits: number[]
  refused: number
}

export interface Watchers {
  heard(): Promise<Heard>
  stop(): Promise<void>
}

/**
 * Opens sockets in a separate process. Resolves once all of them have joined their rooms.
 * @param perSecond connections per second, regardless of earlier ones; without it, opens them in batches
 * @param joins views to send, for all sockets or per socket; without it, only waits for the greeting
 * @param notes counts events, and records auction states on this many sockets
 */
export async function openWatchers(options: {
  url: string
  cookies: string[]
  count: number
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
      const [counted] = (await once(child, 'message')) as [Heard]
      return counted
    },
    async stop() {
      child.send({ end: true })
      await ended
    },
  }
}
