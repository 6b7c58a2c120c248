import { randomBytes } from 'node:crypto'
import { Agent, request } from 'node:http'
import fc from 'fast-check'
import pg from 'pg'
import { io, type Socket } from 'socket.io-client'
import { Sync, View, type Ack } from '#shared/events/control.ts'
import { Typing } from '#shared/events/messaging.ts'
import { demoAccounts } from '#server/features/auth/demo-accounts.ts'
import { hashSecret } from '#server/platform/secrets.ts'
import { writtenOut } from './calls.ts'
import {
  operationsOf,
  payloadsOf,
  requestsOf,
  type FuzzRequest,
  type OpenApi,
  type Operation,
  type Pools,
} from './fuzz-requests.ts'
import { patienceMs } from './patience.ts'

export interface FuzzTarget {
  url: string
  databaseUrl: string
}

/** The same seed repeats the same requests: `FUZZ_SEED=7 npm test -- tests/server/platform/fuzz.test.ts`. */
export const fuzzSeed = (): number => Number(process.env['FUZZ_SEED'] ?? 20_261_122)

/** A one-line report with the minimized request, the response and the seed. */
export type Fault = string

export interface FuzzReport {
  sent: number
  statuses: Map<number, number>
  faults: Fault[]
}

/** A caller whose session the fuzzer restores if a request ends it. */
interface Identity {
  who: string
  dealerId?: string | undefined
  cookie: string
  share: number
  revive(): Promise<unknown>
}

const idsPerPool = 25
const reviveEvery = 200
/** Number of faults after which the fuzzer stops using an account. */
const faultsMax = 8
const shownMax = 2_000

const aliases: Record<string, string[]> = {
  posts: ['inventory', 'postId'],
  dealers: ['users', 'userId', 'dealerId', 'participantId', 'dealer'],
  chats: ['chatId'],
  deals: ['deal', 'dealId'],
  vehicles: ['vehicleId'],
  comments: ['commentId'],
  messages: ['messageId'],
  objects: ['objectId'],
  connection_requests: ['requests'],
  deal_documents: ['documentId'],
  saved_searches: ['saved-searches'],
  buy_orders: ['buy-orders', 'orderId', 'buyOrderId'],
  api_keys: ['api-keys'],
  contact_messages: ['contact-messages'],
}

/** Returns up to 25 ids per table. Ids related to this dealer come first. */
async function readPools(db: pg.Client, dealerId: string | undefined): Promise<Pools> {
  const { rows } = await db.query<{ name: string; dealers: string }>(
    `select table_name as name,
       coalesce(string_agg(quote_ident(column_name), ', ') filter (where column_name ~ 'dealer|seller|buyer'), 'id') as dealers
     from information_schema.columns where table_schema = 'public' and data_type = 'uuid'
     group by 1 having bool_or(column_name = 'id') order by 1`,
  )
  const pools = new Map<string, string[]>()
  for (const { name, dealers } of rows) {
    const found = await db.query<{ id: string }>(
      `select id from "${name}" order by coalesce($1 in (${dealers}), false) desc, id limit ${idsPerPool}`,
      [dealerId],
    )
    const ids = found.rows.map(({ id }) => id)
    for (const alias of [name, ...(aliases[name] ?? [])]) pools.set(alias, ids)
  }
  const auctions = await db.query<{ id: string }>('select post_id as id from auctions limit 5')
  return pools.set('inventory', [...auctions.rows.map(({ id }) => id), ...(pools.get('inventory') ?? [])])
}

async function signIn(db: pg.Client, role: 'dealer' | 'admin', share: number): Promise<Identity> {
  const account = demoAccounts.find((one) => one.role === role)
  // Fall back to another account, because an earlier request may have changed the demo account's email address.
  const { rows } = await db.query<{ id: string }>(
    `select id from dealers where role = $2 and deleted_at is null and profile_completed_at is not null
     order by (email = $1) desc, id limit 1`,
    [account?.email, role],
  )
  const secret = randomBytes(32).toString('base64url')
  const revive = () =>
    db.query(
      `with back as (
         update dealers set suspended_at = null, deleted_at = null, role = '${role}', profile_completed_at = now()
         where id = $1 returning id)
       insert into sessions (hash, dealer_id, expires_at) select $2, id, now() + interval '1 day' from back
       on conflict do nothing`,
      [rows[0]?.id, hashSecret(secret)],
    )
  await revive()
  return { who: role, dealerId: rows[0]?.id, cookie: `lanewire=${secret}`, share, revive }
}

interface Answer {
  status: number
  text: string
}

const agent = new Agent({ keepAlive: true })

/** Sends the request unchanged. `fetch` would fix or reject malformed requests. */
function send(url: string, asked: FuzzRequest, cookie: string, through: Agent | false = agent): Promise<Answer> {
  const { hostname, port } = new URL(url)
  const headers = { ...(cookie !== '' && { cookie }), ...asked.headers }
  const size = asked.body === undefined ? {} : { 'content-length': String(Buffer.byteLength(asked.body)) }
  const { method, path } = asked
  return new Promise((resolve, reject) => {
    const outgoing = request({ hostname, port, method, path, agent: through, headers: { ...headers, ...size } })
    outgoing.on('response', (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => (text += part))
      response.on('error', reject)
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
    })
    outgoing.setTimeout(patienceMs, () => outgoing.destroy(new Error('no answer in time')))
    outgoing.on('error', reject)
    outgoing.end(asked.body)
  })
}

/** Retries once on a new connection, because the server may close the connection while it receives a body that it rejects. */
const untilAnswered = (url: string, asked: FuzzRequest, cookie: string): Promise<Answer> =>
  send(url, asked, cookie).catch(() =>
    send(url, asked, cookie, false).catch((error: Error) => ({ status: 599, text: error.message })),
  )

const cut = (text: string) => (text.length > shownMax ? `${text.slice(0, shownMax)}…` : text)

/** Runs a property. Minimizes each fault and then continues with another seed. */
async function runProperty<T>(
  property: fc.IAsyncProperty<[T]>,
  { runs, seed, who }: { runs: number; seed: number; who: string },
  faults: Fault[],
): Promise<void> {
  let found = 0
  for (let left = runs; left > 0 && found < faultsMax;) {
    const outcome = await fc.check(property, { numRuns: left, seed: seed + found })
    left -= outcome.numRuns
    if (!outcome.failed) return
    found += 1
    const text = outcome.errorInstance instanceof Error ? outcome.errorInstance.message : String(outcome.errorInstance)
    const smallest = cut(JSON.stringify(outcome.counterexample))
    faults.push(`${who}, seed ${outcome.seed}: ${smallest} ${text}`)
  }
}

async function withDatabase<T>({ databaseUrl }: FuzzTarget, work: (db: pg.Client) => Promise<T>): Promise<T> {
  const db = new pg.Client({ connectionString: databaseUrl })
  await db.connect()
  try {
    return await work(db)
  } finally {
    await db.end()
  }
}

async function readOperations(url: string, reader: Identity): Promise<Operation[]> {
  const asked = { operation: '', method: 'GET', path: '/api/docs/json', headers: {} }
  const { text } = await send(url, asked, reader.cookie)
  return operationsOf(writtenOut(JSON.parse(text) as OpenApi))
}

/** Calls every endpoint as visitor, dealer and admin. A missing response and any 5xx except 503 are faults. */
export const fuzzRequests = (target: FuzzTarget, requests: number, seed: number): Promise<FuzzReport> =>
  withDatabase(target, async (db) => {
    const visitor: Identity = { who: 'visitor', cookie: '', share: 0.2, revive: async () => undefined }
    const [dealer, admin] = [await signIn(db, 'dealer', 0.45), await signIn(db, 'admin', 0.35)]
    const [operations, pools] = [await readOperations(target.url, dealer), await readPools(db, dealer.dealerId)]
    const report: FuzzReport = { sent: 0, statuses: new Map(), faults: [] }
    const ask = async (identity: Identity, asked: FuzzRequest) => {
      report.sent += 1
      if (report.sent % reviveEvery === 0) await identity.revive()
      const { status, text } = await untilAnswered(target.url, asked, identity.cookie)
      report.statuses.set(status, (report.statuses.get(status) ?? 0) + 1)
      if (status === 401) await identity.revive()
      if (status >= 500 && status !== 503) throw new Error(`${status} ${cut(text)}`)
    }
    await Promise.all(
      [visitor, dealer, admin].map((identity, index) => {
        const asked = fc.oneof(...operations.map((operation) => requestsOf(operation, pools)))
        const property = fc.asyncProperty(asked, (one) => ask(identity, one))
        const { who, share } = identity
        // Space the seeds out, because the fuzzer increments its seed after each fault.
        const run = { runs: Math.ceil(requests * share), seed: seed + index * 1_000, who }
        return runProperty(property, run, report.faults)
      }),
    )
    return report
  })

async function connect(url: string, cookie: string): Promise<Socket> {
  const options = { transports: ['websocket'], extraHeaders: { cookie }, timeout: patienceMs }
  const socket = io(url, { ...options, forceNew: true, reconnection: false })
  await new Promise<void>((resolve, reject) => {
    socket.once('hello', () => resolve())
    socket.on('connect_error', reject)
  })
  return socket
}

/** Resolves to the acknowledgement, or `cut` if the server disconnects a flooding or invalid client. */
const untilAcknowledged = (socket: Socket, name: string, payload: unknown): Promise<Ack<unknown> | 'cut'> =>
  new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('no answer in time')), patienceMs)
    const settle = (answer: Ack<unknown> | 'cut') => {
      clearTimeout(late)
      resolve(answer)
    }
    socket.once('disconnect', () => settle('cut'))
    socket.emit(name, payload, settle)
  })

/** Sends valid, nearly valid and invalid socket events. An `internal` error and a missing response are faults. */
export const fuzzEvents = (target: FuzzTarget, events: number, seed: number): Promise<FuzzReport> =>
  withDatabase(target, async (db) => {
    const dealer = await signIn(db, 'dealer', 1)
    const pools = await readPools(db, dealer.dealerId)
    const shown = new Map([...pools, ['id', [...(pools.get('posts') ?? []), ...(pools.get('chats') ?? [])]]])
    const report: FuzzReport = { sent: 0, statuses: new Map(), faults: [] }
    let socket: Socket | undefined
    const say = async ([name, payload]: [string, unknown]) => {
      if (socket?.connected !== true) socket = await connect(target.url, dealer.cookie)
      report.sent += 1
      const answer = await untilAcknowledged(socket, name, payload)
      if (answer !== 'cut' && !answer.ok && answer.error.code === 'internal') throw new Error(answer.error.message)
    }
    const schemas = { sync: Sync, view: View, typing: Typing }
    const arbitraries = Object.entries(schemas).map(([name, schema]) =>
      fc.tuple(fc.constant(name), payloadsOf(schema, shown)),
    )
    const property = fc.asyncProperty(fc.oneof(...arbitraries), say)
    await runProperty(property, { runs: events, seed, who: 'a socket' }, report.faults)
    socket?.disconnect()
    return report
  })
