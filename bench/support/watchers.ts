import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

interface Heard {
  packets: number
  bytes: number
  perSocket: number[]
  /** The auction states that recording sockets received. `at` is Unix time in ms. */
  noted: [socket: number, postId: string, seq: number, at: number][]
  waits: number[]
  refused: number
}

export interface Watchers {
  heard(): Promise<Heard>
  stop(): Promise<void>
}

/**
 * Opens sockets in a separate process. Resolves once all have joined their rooms.
 * @param perSecond connections per second; if omitted, the sockets open in batches
 * @param joins views that each socket sends: one view for all, or lists of views that the sockets use in turn
 * @param notes if set, counts events, and records the auction states that the first `notes` sockets receive
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
