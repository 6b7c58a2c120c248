import { createECDH, randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { timeSeen } from './messages.ts'
import type { BenchEnv, BenchRow } from './support/bench.ts'
import { call } from './support/calls.ts'
import { openChats } from './support/chats.ts'
import {
  metered,
  openSessions,
  percentile,
  perSecondOf,
  rounded,
  type Session,
  untilIdle,
  withDatabase,
} from './support/measure.ts'
import { type PushStandin, sendDirectly, startPushStandin } from './support/push-standin.ts'

export const name = 'Push: from a comment or a message until the push service has it, 1,000 devices'

const title = 'For the push bench'
const devices = 1_000
const hanging = 100
/** Default number of comments or messages per second. */
const perSecond = 50
const benchSeconds = 20
const commenters = 20
const pairs = 40
const messagesPerSecond = 10
const arriveWithinMs = 60_000
const pollMs = 100
/** Bytes of a typical encrypted push. */
const pushBytes = 400

let standin: PushStandin

/** Starts the simulated push service before the servers, because its host must be in their configuration. */
export async function prepare(): Promise<Record<string, string>> {
  standin = await startPushStandin()
  return { FETCH_PRIVATE_HOSTS: standin.host }
}

interface Line {
  figure: string
  perSecond?: number
  times: number[]
  goal: string
  note?: string
  cost?: string
}

const toRow = ({ figure, perSecond: rate, times, goal, note = '', cost = '' }: Line): BenchRow => ({
  figure,
  'per second': rate ?? '',
  'p50 ms': rounded(percentile(times, 0.5)),
  'p95 ms': rounded(percentile(times, 0.95)),
  'p99 ms': rounded(percentile(times, 0.99)),
  goal,
  note,
  'CPU ms each': cost,
})

/** Post ids. Each seller has one push device, named after the id of the post. */
type Posts = readonly string[]

/** Registers one push device for each dealer. */
async function addDevices(databaseUrl: string, owned: readonly { dealerId: string; device: string }[]): Promise<void> {
  const keys = createECDH('prime256v1')
  await withDatabase(databaseUrl, (client) =>
    client.query(
      `with owned as (select * from unnest($1::uuid[], $2::text[]) as o (dealer_id, endpoint)), opened as (
         insert into sessions (hash, dealer_id, expires_at)
         select sha256(dealer_id::text::bytea), dealer_id, now() + interval '1 day' from owned returning hash, dealer_id
       )
       insert into push_devices (dealer_id, session_hash, endpoint, p256dh, auth, label)
       select o.dealer_id, s.hash, o.endpoint, $3, $4, 'Bench' from owned o join opened s using (dealer_id)`,
      [
        owned.map(({ dealerId }) => dealerId),
        owned.map(({ device }) => standin.endpointOf(device)),
        keys.generateKeys(),
        randomBytes(16),
      ],
    ),
  )
}

async function growDealers(databaseUrl: string): Promise<Posts> {
  const rows = await withDatabase(databaseUrl, async (client) => {
    await client.query(
      `insert into dealers (email, name, dealership_name, city, state, email_verified_at, profile_completed_at, demo, settings)
       select 'push-' || g || '@dealers.example', 'Seller ' || g, 'Sellers ' || g, 'Tulsa', 'OK', now(), now(), true,
         '{"emailNotifications": false}' from generate_series(1, $1::int) g`,
      [devices],
    )
    const posts = await client.query<{ id: string; dealer_id: string }>(
      `insert into posts (dealer_id, type, title)
       select id, 'single', $1 from dealers where email::text like 'push-%' returning id, dealer_id`,
      [title],
    )
    return posts.rows
  })
  await addDevices(
    databaseUrl,
    rows.map(({ id, dealer_id: dealerId }) => ({ dealerId, device: id })),
  )
  await withDatabase(databaseUrl, (client) => client.query('vacuum analyze dealers, posts, sessions, push_devices'))
  return rows.map(({ id }) => id)
}

interface Timed {
  /** Milliseconds from the response to `send` until the push service receives the push. */
  times: number[]
  /** Milliseconds from the time at which `send` was due until its response. */
  answers: number[]
  /** When the push service received the first push of each device, as Unix time in ms. */
  arrived: Map<string, number>
  missing: number
  perSecond: number
}

/** Calls `send` at a fixed rate. Waits up to a minute until every device that `send` returned has received its push. */
async function timePushes(
  count: number,
  rate: number,
  send: (index: number) => Promise<string | undefined>,
): Promise<Timed> {
  const sentAt = new Map<string, number>()
  const answers: number[] = []
  const arrived = new Map<string, number>()
  standin.onPush((device, at) => void (arrived.has(device) || arrived.set(device, at)))
  const start = performance.now()
  const sends: Promise<void>[] = []
  for (let index = 0; index < count; index += 1) {
    const due = start + (index * 1_000) / rate
    if (due - performance.now() > 1) await wait(due - performance.now())
    sends.push(
      send(index).then((device) => {
        answers.push(performance.now() - due)
        if (device !== undefined) sentAt.set(device, Date.now())
      }),
    )
  }
  await Promise.all(sends)
  const seconds = (performance.now() - start) / 1_000
  const end = performance.now() + arriveWithinMs
  const missing = () => [...sentAt.keys()].filter((device) => !arrived.has(device))
  while (missing().length > 0 && performance.now() < end) await wait(pollMs)
  standin.onPush(() => undefined)
  const times = [...sentAt].flatMap(([device, at]) => {
    const arrival = arrived.get(device)
    // A push may arrive before the response to `send`.
    return arrival === undefined ? [] : Math.max(0, arrival - at)
  })
  return { times, answers, arrived, missing: missing().length, perSecond: perSecondOf(count, seconds) }
}

const rateOf = ({ rate }: BenchEnv): number => rate ?? perSecond

interface Comments {
  posts: Posts
  sessions: Session[]
  /** Posts whose devices hang. They receive comments but are not measured. */
  ignored?: ReadonlySet<string>
}

/** `times` starts when the seller's notification is written, because a job writes it after the response to the comment. */
async function timeComments(env: BenchEnv, { posts, sessions, ignored }: Comments): Promise<Timed> {
  const since = new Date()
  const rate = rateOf(env)
  const timed = await timePushes((env.seconds ?? benchSeconds) * rate, rate, async (index) => {
    const postId = posts[index % posts.length] ?? ''
    const { cookie = '' } = sessions[index % sessions.length] ?? {}
    const url = `${env.nodes[index % env.nodes.length] ?? ''}/api/inventory/${postId}/comments`
    const { status } = await call('POST', url, { headers: { cookie }, body: { content: 'Any rust?' } })
    if (status !== 201) throw new Error(`the comment was refused: ${status}`)
    return ignored?.has(postId) ? undefined : postId
  })
  const written = await withDatabase(env.databaseUrl, (client) =>
    client.query<{ id: string; at: Date }>(
      `select p.id, min(n.created_at) as at from notifications n join posts p on p.dealer_id = n.dealer_id
       where p.title = $1 and n.created_at >= $2 group by p.id`,
      [title, since],
    ),
  )
  const times = written.rows.flatMap(({ id, at }) => {
    const arrival = timed.arrived.get(id)
    return arrival === undefined ? [] : Math.max(0, arrival - at.getTime())
  })
  return { ...timed, times }
}

export async function run(env: BenchEnv): Promise<BenchRow[]> {
  const sessions = await openSessions(env.databaseUrl, commenters)
  const posts = await growDealers(env.databaseUrl)
  const body = randomBytes(pushBytes)
  const rate = rateOf(env)
  const rows: BenchRow[] = []
  await untilIdle(env)

  const control = await timePushes(rate * 10, rate, async (index) => {
    const device = posts[index] ?? ''
    await sendDirectly(standin.endpointOf(device), body)
    return device
  })
  rows.push(toRow({ ...control, figure: 'control: the stand-in called directly', times: control.answers, goal: '' }))

  const { value: all, cost } = await metered(
    env,
    () => timeComments(env, { posts, sessions }),
    ({ answers }) => answers.length,
  )
  rows.push(
    toRow({ ...all, figure: 'control: a comment until its answer', times: all.answers, goal: '' }),
    toRow({
      ...all,
      figure: "from the seller's notice until its push is accepted",
      goal: 'p95 ≤ 1,000',
      note: `${all.missing} missing`,
      cost,
    }),
  )
  await untilIdle(env)

  const chats = await openChats(env, pairs)
  await addDevices(
    env.databaseUrl,
    chats.map(({ chatId, to }) => ({ dealerId: to.dealerId, device: chatId })),
  )
  const messages = await timePushes(chats.length, messagesPerSecond, async (index) => {
    const chat = chats[index]
    if (chat === undefined) return undefined
    const { status } = await call('POST', `${env.nodes[0] ?? ''}/api/messages`, {
      headers: { cookie: chat.from.cookie, 'idempotency-key': randomUUID() },
      body: { chatId: chat.chatId, content: 'Is it still there?' },
    })
    if (status !== 201) throw new Error(`the message was refused: ${status}`)
    return chat.chatId
  })
  rows.push(
    toRow({
      ...messages,
      figure: 'a message until its push is accepted, 3 s of it on purpose',
      goal: 'p95 ≤ 4,000',
      note: `${messages.missing} missing`,
    }),
  )

  const [, second = ''] = env.nodes
  await untilIdle(env)
  const on = await timeSeen(env, chats, rate)
  const off = await env.startNode({ PUSH: 'off' })
  // Warm up the new process, so that the next measurement is fair.
  await timeSeen({ ...env, nodes: [off.url, second] }, chats, rate)
  await untilIdle(env)
  const without = await timeSeen({ ...env, nodes: [off.url, second] }, chats, rate)
  await off.stop()
  const figure = 'a message until it is seen'
  rows.push(
    toRow({ ...without, figure: `control: ${figure}, PUSH=off`, perSecond: rate, goal: '' }),
    toRow({ ...on, figure: `${figure}, with push`, perSecond: rate, goal: 'p99 within 10 %' }),
  )

  const stuck = posts.filter((_post, index) => index % (devices / hanging) === 0)
  standin.hang(stuck)
  await untilIdle(env)
  const others = await timeComments(env, { posts, sessions, ignored: new Set(stuck) })
  rows.push(
    toRow({
      ...others,
      figure: `pushes of comments while ${hanging} of ${devices} devices hang`,
      goal: 'p95 within 10 %',
      note: `${others.missing} missing`,
    }),
  )
  return rows
}
