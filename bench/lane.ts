import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { bidIncrements } from '#shared/limits.ts'
import { openAuctions } from './auctions.ts'
import type { BenchEnv, BenchRow } from './support/bench.ts'
import { startBareServer } from './support/bare.ts'
import { openBrowser } from './support/browser.ts'
import { call } from './support/calls.ts'
import { scriptPerFrame } from './support/frames.ts'
import { openSessions, percentile, perSecondOf, rounded, type Session, withDatabase } from './support/measure.ts'
import { openWatchers, type Watchers } from './support/watchers.ts'

export const name = 'The Lane: six auctions on screen, each with fifty bids a second on two nodes'

const watchers = 500
const places = 6
const bidsPerSecond = 50
const benchSeconds = 20
/** Watchers per node that record every auction state they receive. */
const noting = 20
const [increment] = bidIncrements
const settleMs = 2_000
const pressing = 50
const thinkMs = 1_000
const pressSeconds = 10
const traceSeconds = 10
const stateBytes = 700

interface Bids {
  bidders: Session[]
  posts: string[]
  seconds: number
  first?: number
}

interface Load {
  posts: string[]
  taken: number
  seconds: number
}

/** In each auction, two dealers outbid each other at a fixed rate, one through each node. Late bids are sent, not skipped. */
async function bidAll(env: BenchEnv, { bidders, posts, seconds, first = 0 }: Bids): Promise<Load> {
  const start = performance.now()
  let taken = 0
  const run = async (postId: string, index: number) => {
    for (let turn = first; turn < first + seconds * bidsPerSecond; turn += 1) {
      const due = start + ((turn - first) * 1_000) / bidsPerSecond - performance.now()
      if (due > 0) await pause(due)
      if (performance.now() - start > seconds * 1_000) return
      const side = turn % 2
      const { cookie = '' } = bidders[index * 2 + side] ?? {}
      const { status } = await call('POST', `${env.nodes[side] ?? ''}/api/inventory/${postId}/bids`, {
        headers: { cookie, 'idempotency-key': randomUUID() },
        body: { amount: 1 + turn * increment },
      })
      if (status === 201) taken += 1
    }
  }
  await Promise.all(posts.map(run))
  return { posts, taken, seconds: (performance.now() - start) / 1_000 }
}

async function decidedAt(databaseUrl: string, posts: string[]): Promise<Map<string, number[]>> {
  return withDatabase(databaseUrl, async (client) => {
    const { rows } = await client.query<{ post_id: string; seq: string; at: Date }>(
      'select post_id, seq, at from bids where post_id = any($1) order by post_id, seq',
      [posts],
    )
    const times = new Map<string, number[]>(posts.map((postId) => [postId, []]))
    for (const { post_id: postId, seq, at } of rows) (times.get(postId) ?? [])[Number(seq)] = at.getTime()
    return times
  })
}

/** For each state that a watcher received, returns the age in ms of the oldest bid that was new to the watcher. */
function behind(noted: Awaited<ReturnType<Watchers['heard']>>['noted'], decided: Map<string, number[]>): number[] {
  const last = new Map<string, number>()
  const ages: number[] = []
  for (const [socket, postId, seq, at] of noted) {
    const key = `${socket} ${postId}`
    const known = last.get(key) ?? 0
    const oldest = decided.get(postId)?.[known + 1]
    if (seq > known && oldest !== undefined) ages.push(Math.max(0, at - oldest))
    last.set(key, Math.max(known, seq))
  }
  return ages
}

interface Shown {
  figure: string
  goal: string
  others: 'lot' | 'post'
}

/** For each auction, returns the views of a watcher that focuses it. Every watcher shows all six auctions. */
function viewsOf(posts: string[], others: Shown['others']): object[][] {
  return posts.map((focused) => [
    { kind: 'lane', id: '', on: true },
    { kind: 'auction', id: focused, on: true },
    ...posts.map((id) => ({ kind: id === focused ? 'post' : others, id, on: true })),
  ])
}

const coresOf = (before: Record<string, number>, after: Record<string, number>, seconds: number): number =>
  rounded(((after['server'] ?? 0) - (before['server'] ?? 0)) / seconds)

async function measureWatchers(
  env: BenchEnv,
  sessions: Session[],
  { figure, goal, others }: Shown,
): Promise<BenchRow[]> {
  const [seller, ...dealers] = sessions
  const bidders = dealers.slice(0, places * 2)
  const posts = await openAuctions(env.databaseUrl, seller?.dealerId ?? '', places)
  const joins = viewsOf(posts, others)
  const crowd = await Promise.all(
    env.nodes.map((url) =>
      openWatchers({
        url,
        cookies: dealers.slice(places * 2).map(({ cookie }) => cookie),
        count: Math.ceil(watchers / env.nodes.length),
        notes: noting,
        joins,
      }),
    ),
  )
  const before = await Promise.all(crowd.map((each) => each.heard()))
  const cpuBefore = env.cpu()
  const { taken, seconds } = await bidAll(env, { bidders, posts, seconds: env.seconds ?? benchSeconds })
  const cpu = coresOf(cpuBefore, env.cpu(), seconds)
  const during = await Promise.all(crowd.map((each) => each.heard()))
  await pause(settleMs)
  const after = await Promise.all(crowd.map((each) => each.heard()))
  const decided = await decidedAt(env.databaseUrl, posts)
  const presses = others === 'lot' ? [await measurePresses(env, dealers, posts)] : []
  await Promise.all(crowd.map((each) => each.stop()))
  const rates = during.flatMap(({ perSocket }, node) =>
    perSocket.map((count, socket) => (count - (before[node]?.perSocket[socket] ?? 0)) / seconds),
  )
  const noted = after.flatMap((heard, node) =>
    heard.noted.map(([socket, ...rest]) => [socket + node * watchers, ...rest] as (typeof heard.noted)[number]),
  )
  const isFocused = ([socket, postId]: (typeof noted)[number]) => posts[(socket % watchers) % places] === postId
  const last = new Map(posts.map((postId) => [postId, (decided.get(postId)?.length ?? 1) - 1]))
  const reached = new Set(
    noted.filter(([, postId, seq]) => seq >= (last.get(postId) ?? 0)).map(([socket, postId]) => `${socket} ${postId}`),
  )
  const shared = {
    'bids/s taken': perSecondOf(taken, seconds),
    'packets/s each': rounded(percentile(rates, 0.5)),
    'at most': rounded(Math.max(...rates)),
    'last state': `${reached.size} of ${noting * env.nodes.length * places}`,
    'server, cores': cpu,
  }
  const row = (what: string, share: BenchRow, ages: number[], wanted: string): BenchRow => ({
    figure: `${figure}${what}`,
    'behind, p50 ms': percentile(ages, 0.5),
    'p99 ms': percentile(ages, 0.99),
    goal: wanted,
    ...share,
  })
  return [
    row(', in focus', shared, behind(noted.filter(isFocused), decided), goal),
    ...(others === 'lot'
      ? [
          row(
            ', the other five',
            {},
            behind(
              noted.filter((one) => !isFocused(one)),
              decided,
            ),
            'p99 ≤ 700',
          ),
        ]
      : []),
    ...presses,
  ]
}

/** Fifty dealers bid. Each dealer waits one second after a response before the next bid. The times include declined bids. */
async function measurePresses(env: BenchEnv, sessions: Session[], posts: string[]): Promise<BenchRow> {
  const prices = new Map<string, number>()
  const times: number[] = []
  const start = performance.now()
  let taken = 0
  const press = async ({ cookie }: Session, index: number) => {
    await pause((index * thinkMs) / pressing)
    for (let turn = index; performance.now() - start < pressSeconds * 1_000; turn += 1) {
      const postId = posts[turn % posts.length] ?? ''
      const began = performance.now()
      const { status, body } = await call('POST', `${env.nodes[index % 2] ?? ''}/api/inventory/${postId}/bids`, {
        headers: { cookie, 'idempotency-key': randomUUID() },
        body: { amount: prices.get(postId) ?? 1 },
      })
      times.push(performance.now() - began)
      if (status === 201) taken += 1
      const { amount, error } = body as { amount?: number; error?: { details?: { minNext?: number } } }
      prices.set(postId, Math.max(prices.get(postId) ?? 0, error?.details?.minNext ?? (amount ?? 0) + increment))
      await pause(thinkMs)
    }
  }
  await Promise.all(sessions.slice(0, pressing).map(press))
  return {
    figure: `press → answer, ${pressing} bidders, the watchers as before`,
    'behind, p50 ms': rounded(percentile(times, 0.5)),
    'p95 ms': rounded(percentile(times, 0.95)),
    'p99 ms': rounded(percentile(times, 0.99)),
    'bids/s taken': perSecondOf(taken, (performance.now() - start) / 1_000),
    goal: 'p95 ≤ 300',
  }
}

/** Control: a Socket.IO server that does nothing else sends one packet per bid to every watcher, without throttling. */
async function measureControl(env: BenchEnv): Promise<BenchRow> {
  const bare = await startBareServer()
  const crowd = await openWatchers({ url: bare.url, cookies: [''], count: watchers, notes: 0 })
  const seconds = env.seconds ?? benchSeconds
  const before = env.processSeconds(bare.pid)
  const start = performance.now()
  const padding = 'x'.repeat(stateBytes)
  let placed = 0
  while (performance.now() - start < seconds * 1_000) {
    const due = ((performance.now() - start) / 1_000) * bidsPerSecond * places
    for (; placed < due; placed += 1) bare.say({ padding })
    await pause(5)
  }
  const took = (performance.now() - start) / 1_000
  const cores = (env.processSeconds(bare.pid) - before) / took
  const heard = await crowd.heard()
  await Promise.all([crowd.stop(), bare.stop()])
  return {
    figure: `control: bare Socket.IO, a packet a bid → ${watchers}`,
    'bids/s taken': perSecondOf(placed, took),
    'packets/s each': rounded(heard.packets / watchers / took),
    'server, cores': rounded(cores),
    goal: 'what pacing saves',
  }
}

async function measureBrowser(env: BenchEnv, sessions: Session[]): Promise<BenchRow> {
  const [seller, ...dealers] = sessions
  const [url = ''] = env.nodes
  const posts = await openAuctions(env.databaseUrl, seller?.dealerId ?? '', places)
  const { cookie = '' } = dealers.at(-1) ?? {}
  const pins = posts.map((postId, index) => ({ postId, slot: index + 1 }))
  await call('PUT', `${url}/api/lane/pins`, { headers: { cookie }, body: { pins } })
  const browser = await openBrowser(env)
  try {
    const context = await browser.newContext({ baseURL: url, viewport: { width: 1_440, height: 900 } })
    const [key = '', value = ''] = cookie.split('=')
    await context.addCookies([{ name: key, value, url }])
    const page = await context.newPage()
    await page.goto('/lane')
    await page.getByRole('region', { name: /^Position 6/ }).waitFor()
    const devtools = await context.newCDPSession(page)
    await devtools.send('Performance.enable')
    const spent = async () => {
      const { metrics } = await devtools.send('Performance.getMetrics')
      return Object.fromEntries(metrics.map((metric) => [metric.name, metric.value]))
    }
    const before = await spent()
    const bids = { bidders: dealers.slice(0, places * 2), posts, seconds: env.seconds ?? benchSeconds }
    const { taken, seconds } = await bidAll(env, bids)
    const after = await spent()
    // Trace in a separate run, because tracing adds overhead.
    const first = Math.ceil(bids.seconds * bidsPerSecond)
    const frames = await scriptPerFrame(browser, page, () => bidAll(env, { ...bids, seconds: traceSeconds, first }))
    const msPerSecond = (metric: string) => rounded((((after[metric] ?? 0) - (before[metric] ?? 0)) * 1_000) / seconds)
    return {
      figure: 'a browser with six hot places',
      'bids/s taken': perSecondOf(taken, seconds),
      'scripting, ms/s': msPerSecond('ScriptDuration'),
      'all tasks, ms/s': msPerSecond('TaskDuration'),
      'frames/s': perSecondOf(frames.length, traceSeconds),
      'script a frame, p50 ms': rounded(percentile(frames, 0.5)),
      'p95 ms': rounded(percentile(frames, 0.95)),
      'p99 ms': rounded(percentile(frames, 0.99)),
      goal: 'p95 ≤ 8 a frame',
    }
  } finally {
    await browser.close()
  }
}

export async function run(env: BenchEnv): Promise<BenchRow[]> {
  const sessions = await openSessions(env.databaseUrl, 200)
  const each = `${watchers} watchers, six places`
  return [
    ...(await measureWatchers(env, sessions, { figure: each, goal: 'p99 ≤ 160; ≤ 20 packets/s', others: 'lot' })),
    ...(await measureWatchers(env, sessions, { figure: `${each}, all as in focus`, goal: '', others: 'post' })),
    await measureControl(env),
    await measureBrowser(env, sessions),
  ]
}
