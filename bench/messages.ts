import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { io, type Socket } from 'socket.io-client'
import type { ChatMessageEvent } from '#shared/events/messaging.ts'
import type { BenchEnv, BenchRow } from './bench.ts'
import { httpLoad, openSessions, percentile, rounded, withDatabase } from './measure.ts'

export const name = 'Messages: POST → seen on another node, sustained sends, handshakes, the unchanged heads'

const pairs = 40
const perSecond = 500
const openLoopS = 10
const sustainedS = 8
const sustainedConnections = 32
const triesMax = 50
const handshakes = 600
const headsConnections = 24
const headsS = 6
const millisecondsPerSecond = 1_000

interface Chat {
  chatId: string
  from: string
  to: string
}

/** One chat per pair of seeded dealers. */
async function makeChats({ nodes: [url = ''], databaseUrl }: BenchEnv): Promise<Chat[]> {
  const sessions = await openSessions(databaseUrl, 2 * pairs)
  const chats: Chat[] = []
  for (let index = 0; index < pairs; index += 1) {
    const [from, to] = [sessions[2 * index], sessions[2 * index + 1]]
    if (from === undefined || to === undefined) throw new Error('the demo network is too small')
    const response = await fetch(`${url}/api/chats`, {
      method: 'POST',
      headers: { cookie: from.cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ dealerId: to.dealerId }),
    })
    if (response.status !== 201) throw new Error(`the chat was refused: ${response.status}`)
    chats.push({ chatId: ((await response.json()) as { id: string }).id, from: from.cookie, to: to.cookie })
  }
  return chats
}

async function connect(url: string, cookie: string): Promise<Socket> {
  const socket = io(url, { transports: ['websocket'], extraHeaders: { cookie }, forceNew: true, reconnection: false })
  await once(socket as never, 'hello')
  return socket
}

/** As the client does: a server that is short of breath is asked again, under the same key; the wait counts. */
async function send(url: string, chat: Chat, key: string): Promise<void> {
  for (let tries = 0; tries < triesMax; tries += 1) {
    const response = await fetch(`${url}/api/messages`, {
      method: 'POST',
      headers: { cookie: chat.from, 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ chatId: chat.chatId, content: 'Is the title in hand?' }),
    }).catch(() => undefined)
    if (response === undefined) continue
    await response.arrayBuffer()
    if (response.status === 201) return
    if (response.status !== 503) throw new Error(`the message was refused: ${response.status}`)
  }
  throw new Error('the server did not take the message')
}

/** Sent at a fixed rate whatever the answers do, so that a stall counts against everything behind it. */
async function measureSeen({ nodes: [one = '', two = ''] }: BenchEnv, chats: Chat[]): Promise<BenchRow> {
  const sockets = await Promise.all(chats.map((chat) => connect(two, chat.to)))
  const due = new Map<string, number>()
  const times: number[] = []
  for (const socket of sockets)
    socket.on('chat.message', ({ message }: ChatMessageEvent) => {
      const start = due.get(message.clientId)
      if (start !== undefined) times.push(performance.now() - start)
    })
  const total = perSecond * openLoopS
  const start = performance.now()
  const sends: Promise<void>[] = []
  for (let index = 0; index < total; index += 1) {
    const at = start + (index * millisecondsPerSecond) / perSecond
    const wait = at - performance.now()
    if (wait > 1) await new Promise((resolve) => setTimeout(resolve, wait))
    const chat = chats[index % chats.length]
    if (chat === undefined) continue
    const key = randomUUID()
    due.set(key, at)
    sends.push(send(one, chat, key))
  }
  await Promise.all(sends)
  await Promise.all(sockets.map((socket) => socket.emitWithAck('sync', { dealer: 0 })))
  for (const socket of sockets) socket.disconnect()
  return {
    figure: `POST → seen on the other node, ${perSecond}/s`,
    'per second': perSecond,
    'p50 ms': rounded(percentile(times, 0.5)),
    'p99 ms': rounded(percentile(times, 0.99)),
    missing: total - times.length,
    goal: 'p50 ≤ 5, p99 ≤ 30',
  }
}

async function measureSustained({ nodes }: BenchEnv, chats: Chat[]): Promise<BenchRow> {
  const times: number[] = []
  const end = performance.now() + sustainedS * millisecondsPerSecond
  await Promise.all(
    Array.from({ length: sustainedConnections }, async (_, worker) => {
      for (let index = worker; performance.now() < end; index += sustainedConnections) {
        const start = performance.now()
        const chat = chats[index % chats.length]
        if (chat !== undefined) await send(nodes[worker % nodes.length] ?? '', chat, randomUUID())
        times.push(performance.now() - start)
      }
    }),
  )
  return {
    figure: `sustained, ${sustainedConnections} senders on ${nodes.length} nodes`,
    'per second': Math.round(times.length / sustainedS),
    'p50 ms': rounded(percentile(times, 0.5)),
    'p99 ms': rounded(percentile(times, 0.99)),
    missing: 0,
    goal: '≥ 1,500/s, p99 ≤ 50',
  }
}

async function measureHandshakes({ nodes: [url = ''] }: BenchEnv, chats: Chat[]): Promise<BenchRow> {
  const start = performance.now()
  const times: number[] = []
  const lanes = 40
  await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      for (let index = lane; index < handshakes; index += lanes) {
        const began = performance.now()
        const socket = await connect(url, chats[index % chats.length]?.to ?? '')
        times.push(performance.now() - began)
        socket.disconnect()
      }
    }),
  )
  return {
    figure: 'signed-in handshakes up to the greeting',
    'per second': Math.round((handshakes * millisecondsPerSecond) / (performance.now() - start)),
    'p50 ms': rounded(percentile(times, 0.5)),
    'p99 ms': rounded(percentile(times, 0.99)),
    missing: 0,
    goal: '≥ 1,500/s',
  }
}

async function measureHeads({ nodes: [url = ''] }: BenchEnv, chats: Chat[]): Promise<BenchRow> {
  const cookie = chats[0]?.from ?? ''
  const first = await fetch(`${url}/api/heads`, { headers: { cookie } })
  await first.arrayBuffer()
  const load = await httpLoad({
    url,
    paths: ['/api/heads'],
    headers: { cookie, 'if-none-match': first.headers.get('etag') ?? '' },
    connections: headsConnections,
    seconds: headsS,
  })
  return {
    figure: 'unchanged heads (304)',
    'per second': load.perSecond,
    'p50 ms': load.p50,
    'p99 ms': load.p99,
    missing: load.errors,
    goal: '≥ 3,000/s per core',
  }
}

export async function run(env: BenchEnv): Promise<BenchRow[]> {
  const chats = await makeChats(env)
  const rows = [await measureSeen(env, chats), await measureSustained(env, chats)]
  await withDatabase(env.databaseUrl, (client) => client.query('vacuum analyze messages, chats, outbox'))
  return [...rows, await measureHandshakes(env, chats), await measureHeads(env, chats)]
}
