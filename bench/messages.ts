import { randomUUID } from 'node:crypto'
import type { ChatMessageEvent } from '#shared/events/messaging.ts'
import type { BenchEnv, BenchRow } from './support/bench.ts'
import { call } from './support/calls.ts'
import { type BenchChat, openChats } from './support/chats.ts'
import { httpLoad, metered, perSecondOf, toRow, untilIdle, withDatabase } from './support/measure.ts'
import { connect } from './support/sockets.ts'

export const name = 'Messages: POST → seen on another node, sustained sends, handshakes, the unchanged heads'

const pairs = 40
const perSecond = 500
const openLoopS = 8
const sustainedS = 8
const sustainedConnections = 32
const triesMax = 50
const handshakesS = 5
const handshakeLanes = 40
const headsConnections = 24
const headsS = 6
const millisecondsPerSecond = 1_000

/** Sends a message. Retries with the same key if the server is overloaded, as the client does. The measured time includes the retries. */
async function send(url: string, chat: BenchChat, key: string): Promise<void> {
  for (let tries = 0; tries < triesMax; tries += 1) {
    const answer = await call('POST', `${url}/api/messages`, {
      headers: { cookie: chat.from.cookie, 'idempotency-key': key },
      body: { chatId: chat.chatId, content: 'Is the title in hand?' },
    }).catch(() => undefined)
    if (answer === undefined) continue
    if (answer.status === 201) return
    if (answer.status !== 503) throw new Error(`the message was refused: ${answer.status}`)
  }
  throw new Error('the server did not take the message')
}

/** Sends at a fixed rate regardless of responses, so a stall counts for every message that it delays (no coordinated omission). */
async function sendAtRate(url: string, chats: BenchChat[], due: Map<string, number>, rate: number): Promise<void> {
  const start = performance.now()
  const sends: Promise<void>[] = []
  for (let index = 0; index < rate * openLoopS; index += 1) {
    const at = start + (index * millisecondsPerSecond) / rate
    const wait = at - performance.now()
    if (wait > 1) await new Promise((resolve) => setTimeout(resolve, wait))
    const chat = chats[index % chats.length]
    if (chat === undefined) continue
    const key = randomUUID()
    due.set(key, at)
    sends.push(send(url, chat, key))
  }
  await Promise.all(sends)
}

interface Seen {
  times: number[]
  missing: number
  cost: string
}

/** Measures the milliseconds from the time at which a message is due on one node until the other node delivers it. */
export async function timeSeen(env: BenchEnv, chats: BenchChat[], rate: number): Promise<Seen> {
  const [one = '', two = ''] = env.nodes
  const sockets = await Promise.all(chats.map((chat) => connect(two, chat.to.cookie)))
  const due = new Map<string, number>()
  const times: number[] = []
  for (const socket of sockets)
    socket.on('chat.message', ({ message }: ChatMessageEvent) => {
      const start = due.get(message.clientId)
      if (start === undefined) return
      due.delete(message.clientId)
      times.push(performance.now() - start)
    })
  const { cost } = await metered(
    env,
    () => sendAtRate(one, chats, due, rate),
    () => rate * openLoopS,
  )
  await Promise.all(sockets.map((socket) => socket.emitWithAck('sync', { dealer: 0 })))
  for (const socket of sockets) socket.disconnect()
  return { times, missing: due.size, cost }
}

async function measureSeen(env: BenchEnv, chats: BenchChat[]): Promise<BenchRow> {
  const { times, missing, cost } = await timeSeen(env, chats, perSecond)
  return toRow({
    figure: `POST → seen on the other node, ${perSecond}/s`,
    perSecond,
    times,
    goal: 'p50 ≤ 5, p99 ≤ 30',
    note: `${missing} missing`,
    cost,
  })
}

async function measureSustained(env: BenchEnv, chats: BenchChat[]): Promise<BenchRow> {
  const { nodes } = env
  const end = performance.now() + sustainedS * millisecondsPerSecond
  const times: number[] = []
  const sendOn = async (worker: number) => {
    for (let index = worker; performance.now() < end; index += sustainedConnections) {
      const start = performance.now()
      const chat = chats[index % chats.length]
      if (chat !== undefined) await send(nodes[worker % nodes.length] ?? '', chat, randomUUID())
      times.push(performance.now() - start)
    }
  }
  const { seconds, cost } = await metered(
    env,
    () => Promise.all(Array.from({ length: sustainedConnections }, (_none, worker) => sendOn(worker))),
    () => times.length,
  )
  return toRow({
    figure: `sustained, ${sustainedConnections} senders on ${nodes.length} nodes`,
    perSecond: perSecondOf(times.length, seconds),
    times,
    goal: '≥ 1,500/s, p99 ≤ 50',
    cost,
  })
}

async function measureHandshakes(env: BenchEnv, chats: BenchChat[]): Promise<BenchRow> {
  const end = performance.now() + handshakesS * millisecondsPerSecond
  const times: number[] = []
  const connectOn = async (lane: number) => {
    for (let index = lane; performance.now() < end; index += handshakeLanes) {
      const began = performance.now()
      const socket = await connect(
        env.nodes[lane % env.nodes.length] ?? '',
        chats[index % chats.length]?.to.cookie ?? '',
      )
      times.push(performance.now() - began)
      socket.disconnect()
    }
  }
  const { seconds, cost } = await metered(
    env,
    () => Promise.all(Array.from({ length: handshakeLanes }, (_none, lane) => connectOn(lane))),
    () => times.length,
  )
  return toRow({
    figure: 'signed-in handshakes up to the greeting',
    perSecond: perSecondOf(times.length, seconds),
    times,
    goal: '≥ 1,500/s',
    cost,
  })
}

async function measureHeads(env: BenchEnv, chats: BenchChat[]): Promise<BenchRow> {
  const [url = ''] = env.nodes
  const headers = { cookie: chats[0]?.from.cookie ?? '' }
  const first = await call('GET', `${url}/api/heads`, { headers })
  const etag = String(first.headers['etag'])
  const { value, cost } = await metered(
    env,
    () =>
      httpLoad({
        url,
        paths: ['/api/heads'],
        headers: { ...headers, 'if-none-match': etag },
        connections: headsConnections,
        seconds: headsS,
      }),
    ({ perSecond: rate }) => rate * headsS,
  )
  return toRow({
    figure: 'unchanged heads (304)',
    perSecond: value.perSecond,
    latency: value,
    goal: '≥ 3,000/s per core',
    note: `${value.errors} errors`,
    cost,
  })
}

export async function run(env: BenchEnv): Promise<BenchRow[]> {
  const chats = await openChats(env, pairs)
  await untilIdle(env)
  const rows = [await measureSeen(env, chats), await measureSustained(env, chats)]
  await withDatabase(env.databaseUrl, (client) => client.query('vacuum analyze messages, chats, outbox'))
  return [...rows, await measureHandshakes(env, chats), await measureHeads(env, chats)]
}
