import { startBareServer } from './support/bare.ts'
import type { BenchEnv, BenchRow } from './support/bench.ts'
import { call } from './support/calls.ts'
import { metered, openSessions, percentile, percentOf, rounded, type Session } from './support/measure.ts'
import { connect, listen } from './support/sockets.ts'
import { markOf, openWatchers, type Watchers } from './support/watchers.ts'

export const name = 'Comment POST → seen by another dealer, and by a crowd'

const samples = 60
/** Longer than the batching interval, so that every comment is sent immediately. */
const silentMs = 220
const crowd = 1_000
const commentsPerSecond = 120
const crowdSeconds = 10
const settleMs = 3_000

/** One dealer comments on one node; another watches the post on the same or another node. */
async function measure(
  writerUrl: string,
  readerUrl: string,
  cookies: { writer: string; reader: string },
): Promise<number[]> {
  const list = await fetch(`${writerUrl}/api/inventory?limit=1`, { headers: { cookie: cookies.writer } })
  const [post] = (await list.json()) as { id: string }[]
  if (post === undefined) throw new Error('the demo network has no posts')
  const socket = await connect(readerUrl, cookies.reader)
  await socket.emitWithAck('view', { kind: 'post', id: post.id, on: true })
  const seenAt = new Map<string, number>()
  let resolveSeen: () => void = () => undefined
  listen(socket, 'post.comment', ({ comment }: { comment: { content: string } }) => {
    seenAt.set(comment.content, performance.now())
    resolveSeen()
  })
  const times: number[] = []
  for (let index = 0; index < samples; index += 1) {
    const content = `bench ${index}`
    const start = performance.now()
    const seen = new Promise<void>((resolve) => {
      resolveSeen = resolve
    })
    const response = await fetch(`${writerUrl}/api/inventory/${post.id}/comments`, {
      method: 'POST',
      headers: { cookie: cookies.writer, 'content-type': 'application/json' },
      body: JSON.stringify({ content }),
    })
    if (response.status !== 201) throw new Error(`the comment was refused: ${response.status}`)
    await seen
    times.push((seenAt.get(content) ?? Number.NaN) - start)
    await new Promise((resolve) => setTimeout(resolve, silentMs))
  }
  socket.disconnect()
  return times
}

/** Calls `say(0)`, `say(1)`, … at a fixed rate, even if responses lag behind. */
async function sayAll(say: (number: number) => void): Promise<number> {
  const total = commentsPerSecond * crowdSeconds
  const start = performance.now()
  for (let said = 0; said < total;) {
    const due = Math.min(total, Math.floor(((performance.now() - start) / 1_000) * commentsPerSecond) + 1)
    for (; said < due; said += 1) say(said)
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  return total
}

interface Crowd {
  figure: string
  goal: string
  watchers: Watchers
  pid: number
}

async function measureCrowd(
  env: BenchEnv,
  { figure, goal, watchers, pid }: Crowd,
  say: (number: number) => void,
): Promise<BenchRow> {
  const [cpuBefore, start] = [env.processSeconds(pid), performance.now()]
  const { value: total, cost } = await metered(
    env,
    () => sayAll(say),
    (said) => said,
  )
  const during = await watchers.heard()
  const seconds = (performance.now() - start) / 1_000
  const cores = (env.processSeconds(pid) - cpuBefore) / seconds
  await new Promise((resolve) => setTimeout(resolve, settleMs))
  const heard = await watchers.heard()
  await watchers.stop()
  return {
    figure,
    samples: heard.arrived,
    'p50 ms': heard.p50,
    'p99 ms': heard.p99,
    'heard/s': Math.round(during.arrived / seconds),
    'sockets, cores': rounded(cores),
    arrived: percentOf(heard.arrived, total * crowd),
    'packets/s each': rounded(during.packets / seconds / crowd),
    goal,
    'CPU ms a comment': cost,
  }
}

/** A busy post: comments are written on one node and received on another that does nothing else. */
async function measureProduct(env: BenchEnv, sessions: Session[]): Promise<BenchRow> {
  const [one = ''] = env.nodes
  const node = await env.startNode({ ROLES: 'rt' })
  const cookies = sessions.map(({ cookie }) => cookie)
  const { body } = await call('GET', `${one}/api/inventory?limit=1`, { headers: { cookie: cookies[0] ?? '' } })
  const [post] = body as { id: string }[]
  const watchers = await openWatchers({
    url: node.url,
    cookies,
    count: crowd,
    marks: commentsPerSecond * crowdSeconds,
    joins: { kind: 'post', id: post?.id, on: true },
  })
  let refused = 0
  const say = (number: number) =>
    void call('POST', `${one}/api/inventory/${post?.id}/comments`, {
      headers: { cookie: cookies[number % cookies.length] ?? '' },
      body: { content: `${markOf(number)} Is the title in hand, and what is the lowest that you would take for it?` },
    }).then(({ status }) => (refused += status === 201 ? 0 : 1))
  const goal = 'p99 ≤ 250, ≤ 0.6 cores'
  const row = await measureCrowd(env, { figure: `${crowd} watchers`, goal, watchers, pid: node.pid }, say)
  await node.stop()
  return refused === 0 ? row : { ...row, arrived: `${String(row['arrived'])}, ${refused} refused` }
}

/** Control: Socket.IO with its Redis adapter only. Each comment is a packet to each socket. */
async function measureControl(env: BenchEnv): Promise<BenchRow> {
  const bare = await startBareServer(env.redisUrl)
  const marks = commentsPerSecond * crowdSeconds
  const watchers = await openWatchers({ url: bare.url, cookies: [''], count: crowd, marks })
  const padding = 'x'.repeat(400)
  const crowdOf = { figure: 'control: bare Socket.IO', goal: 'heard/s no more than ours', watchers, pid: bare.pid }
  const row = await measureCrowd(env, crowdOf, (number) => bare.say({ content: markOf(number), padding }, 'comment'))
  await bare.stop()
  return row
}

export async function run(env: BenchEnv): Promise<BenchRow[]> {
  const {
    nodes: [one = '', two = ''],
    databaseUrl,
  } = env
  const sessions = await openSessions(databaseUrl, 100)
  const [writer, reader] = sessions
  const cookies = { writer: writer?.cookie ?? '', reader: reader?.cookie ?? '' }
  const rows: BenchRow[] = []
  for (const [figure, url] of [
    ['same node', one],
    ['other node', two],
  ] as const) {
    const times = await measure(one, url, cookies)
    rows.push({
      figure,
      samples,
      'p50 ms': rounded(percentile(times, 0.5)),
      'p99 ms': rounded(percentile(times, 0.99)),
      goal: 'p50 ≤ 10 ms',
    })
  }
  rows.push(await measureProduct(env, sessions), await measureControl(env))
  return rows
}
