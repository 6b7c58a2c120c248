import { readFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import autocannon from 'autocannon'
import type { BenchEnv, BenchRow } from './support/bench.ts'
import { call } from './support/calls.ts'
import { httpLoad, openSessions, percentile, percentOf, rounded, toRow, type Session } from './support/measure.ts'
import { openWatchers } from './support/watchers.ts'

export const name = 'More than can be answered: three times what a process manages, and a crowd at its door'

const overloadSeconds = 20
const capacitySeconds = 4
const timesCapacity = 3
const callers = 900
const urgentEveryMs = 100
const recoveredMs = 250
const crowd = 5_000
const crowdSeconds = 10
const paths = Array.from({ length: 40 }, (_none, n) => `/api/dealers?limit=${20 + n}`)
const bytesPerMb = 1_048_576
const nsPerMs = 1e6

function residentMb(pid: number): number {
  try {
    const [, pages = ''] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')
    return (Number(pages) * 4_096) / bytesPerMb
  } catch {
    return Number.NaN
  }
}

/** Seconds within which all callers arrive. Responses during this time are reported separately. */
const comingSeconds = 5

interface Counted {
  coming: number[]
  taken: number[]
  refused: number
  failed: number
}

async function ask(url: string, cookie: string, perSecond: number, seconds: number): Promise<Counted> {
  const counted: Counted = { coming: [], taken: [], refused: 0, failed: 0 }
  const there = performance.now() + comingSeconds * 1_000
  const options = {
    url,
    connections: callers,
    duration: seconds,
    overallRate: Math.round(perSecond),
    requests: paths.map((path) => ({ path, headers: { cookie } })),
  }
  const { errors, timeouts } = await new Promise<autocannon.Result>((resolve, reject) => {
    const running = autocannon(options, (error: Error | null, result) => (error ? reject(error) : resolve(result)))
    running.on('response', (_client, status, _bytes, ms) => {
      if (status === 200) (performance.now() < there ? counted.coming : counted.taken).push(ms)
      else if (status === 503) counted.refused += 1
      else counted.failed += 1
    })
  })
  counted.failed += errors + timeouts
  return counted
}

interface Urgent {
  times: number[]
  refused: number
}

/** Measures messages and health checks until `work` has ended. */
async function beside(url: string, session: Session, chatId: string, work: Promise<unknown>) {
  const messages: Urgent = { times: [], refused: 0 }
  const pulse: Urgent = { times: [], refused: 0 }
  const there = performance.now() + comingSeconds * 1_000
  const timed = async (kept: Urgent, ok: number, asked: () => ReturnType<typeof call>) => {
    const start = performance.now()
    const { status } = await asked()
    if (status !== ok) kept.refused += 1
    else if (start > there) kept.times.push(performance.now() - start)
  }
  const load = { isOver: false }
  void work.finally(() => (load.isOver = true))
  const under: Promise<void>[] = []
  for (let n = 0; !load.isOver; n += 1) {
    const body = { chatId, content: `Under load ${n}` }
    under.push(
      timed(messages, 201, () => call('POST', `${url}/api/messages`, { headers: { cookie: session.cookie }, body })),
      timed(pulse, 200, () => call('GET', `${url}/health/live`, { headers: {} })),
    )
    await pause(urgentEveryMs)
  }
  await Promise.all(under)
  return { messages, pulse }
}

/** Returns the milliseconds until reads are fast again. */
async function recovery(url: string, cookie: string): Promise<number> {
  const end = performance.now()
  for (;;) {
    const start = performance.now()
    const { status } = await call('GET', `${url}${paths[0]}`, { headers: { cookie } })
    if (status === 200 && performance.now() - start < recoveredMs) return performance.now() - end
    await pause(20)
  }
}

async function measureOverload(env: BenchEnv): Promise<BenchRow[]> {
  const node = await env.startNode({ ROLES: 'api' })
  const [session, other] = await openSessions(env.databaseUrl, 2)
  if (session === undefined || other === undefined) throw new Error('the demo network has no dealers')
  const { url } = node
  const headers = { cookie: session.cookie }
  const chat = await call('POST', `${url}/api/chats`, { headers, body: { dealerId: other.dealerId } })
  const { id: chatId } = chat.body as { id: string }
  await httpLoad({ url, paths, headers, connections: 16, seconds: 2 })
  const control = await httpLoad({ url, paths, headers, connections: 16, seconds: capacitySeconds })
  const seconds = env.seconds ?? overloadSeconds
  const before = residentMb(node.pid)
  const own = monitorEventLoopDelay()
  own.enable()
  const load = ask(url, session.cookie, timesCapacity * control.perSecond, seconds)
  const { messages, pulse } = await beside(url, session, chatId, load)
  own.disable()
  const { coming, taken, refused, failed } = await load
  const recoveredIn = await recovery(url, session.cookie)
  const after = residentMb(node.pid)
  await node.stop()
  return [
    toRow({ figure: 'control: as much as it manages', perSecond: control.perSecond, latency: control, goal: '' }),
    toRow({
      figure: `${timesCapacity}× that by ${callers} who come at once: reads taken in their first ${comingSeconds} s`,
      perSecond: coming.length / comingSeconds,
      times: coming,
      goal: 'p99 ≤ 1,000',
    }),
    toRow({
      figure: `and for the rest of ${seconds} s`,
      perSecond: taken.length / (seconds - comingSeconds),
      times: taken,
      goal: 'p99 ≤ 1,000',
      note: `${percentOf(refused, coming.length + taken.length + refused)} of all refused, ${failed} failed`,
    }),
    toRow({
      figure: 'messages meanwhile',
      times: messages.times,
      goal: 'p99 ≤ 1,000',
      note: `${messages.refused} refused`,
    }),
    toRow({
      figure: '/health/live meanwhile',
      times: pulse.times,
      goal: 'p99 ≤ 1,000',
      note: `${pulse.refused} failed`,
    }),
    toRow({
      figure: 'control: delay of the load generator',
      latency: { p50: own.percentile(50) / nsPerMs, p99: own.max / nsPerMs },
      goal: '',
      note: 'maximum instead of p99',
    }),
    toRow({
      figure: 'until a read is answered as before',
      times: [recoveredIn],
      goal: '≤ 2,000',
      note: `${Math.round(before)} → ${Math.round(after)} MB`,
    }),
  ]
}

/** Measures how long the clients of a lost process take to reconnect to a process that has just started. */
async function measureCrowd(env: BenchEnv): Promise<BenchRow> {
  const sessions = await openSessions(env.databaseUrl, 200)
  const node = await env.startNode({ ROLES: 'rt' })
  const start = performance.now()
  const watchers = await openWatchers({
    url: node.url,
    cookies: sessions.map(({ cookie }) => cookie),
    count: crowd,
    perSecond: crowd / crowdSeconds,
  })
  const seconds = (performance.now() - start) / 1_000
  const { waits, refused } = await watchers.heard()
  await watchers.stop()
  await node.stop()
  return toRow({
    figure: `${crowd} sockets in ${crowdSeconds} s: each until its greeting`,
    perSecond: crowd / seconds,
    latency: { p50: percentile(waits, 0.5), p99: percentile(waits, 0.99) },
    goal: 'all within 20 s',
    note: `all after ${rounded(seconds)} s, ${refused} refused`,
  })
}

export async function run(env: BenchEnv): Promise<BenchRow[]> {
  return [...(await measureOverload(env)), await measureCrowd(env)]
}
