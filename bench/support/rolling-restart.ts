import { setTimeout as wait } from 'node:timers/promises'
import type { Socket } from 'socket.io-client'
import type { BenchEnv, BenchRow } from './bench.ts'
import { openSessions } from './measure.ts'
import { connect, connectMany } from './sockets.ts'

const wanted = 5_000
/** The server allows 40 sockets per session, so the sockets need many sessions. */
const sessions = 200
const nodes = 2
/** Longest random delay in ms before a socket reconnects, as in the real client. */
const jitterMs = 2_000
const backWithinMs = 120_000
const answerWithinMs = 20_000
const pollMs = 100

/** Replaces each process while its sockets are open, as a deployment does. Counts the sockets that do not reconnect. */
export async function restartNodes(env: BenchEnv): Promise<BenchRow[]> {
  const cookies = (await openSessions(env.databaseUrl, sessions)).map(({ cookie }) => cookie)
  const running = await Promise.all(Array.from({ length: nodes }, () => env.startNode()))
  const here = new Set<Socket>()
  const over = new AbortController()
  let comebacks = 0
  const open = async (index: number): Promise<Socket> => {
    const socket = await connect(running[index % nodes]?.url ?? '', cookies[index % cookies.length] ?? '')
    here.add(socket)
    socket.once('disconnect', () => {
      here.delete(socket)
      void comeBack(index)
    })
    return socket
  }
  const comeBack = async (index: number) => {
    await wait(Math.random() * jitterMs)
    while (!over.signal.aborted) {
      const back = await open(index).catch(() => undefined)
      if (back === undefined) continue
      comebacks += 1
      return
    }
  }
  const { sockets, refused } = await connectMany(wanted, open)
  for (const [index, old] of running.entries()) {
    const next = await env.startNode()
    running[index] = next
    await old.stop()
  }
  const end = performance.now() + backWithinMs
  while (here.size < sockets.length && performance.now() < end) await wait(pollMs)
  const answers = await Promise.allSettled(
    [...here].map((socket) => socket.timeout(answerWithinMs).emitWithAck('sync', { dealer: 0 })),
  )
  const answered = answers.filter(({ status }) => status === 'fulfilled').length
  over.abort()
  for (const socket of here) {
    socket.removeAllListeners('disconnect')
    socket.disconnect()
  }
  await Promise.all(running.map((node) => node.stop()))
  return [
    {
      what: `sockets over a rolling restart of ${nodes} processes (${refused} refused before it, ${comebacks} came back); wrong: still disconnected`,
      counted: sockets.length,
      wrong: sockets.length - answered,
    },
  ]
}
