import { createHash } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { CamelCasePlugin, Kysely, PostgresDialect, sql, type DatabaseConnection, type Transaction } from 'kysely'
import pg from 'pg'
import type { DB } from '#server/db/schema.ts'

/** A pool or a transaction. Repositories take it as their first argument and never reach for another. */
export type Db = Kysely<DB>
export type Tx = Transaction<DB>

const int8 = 20
const numeric = 1700
const date = 1082

/** Counts and cents fit a double; `numeric` columns hold ratings and scores only. */
const types = new pg.TypeOverrides()
types.setTypeParser(int8, Number)
types.setTypeParser(numeric, Number)
types.setTypeParser(date, String)

const kept = '/* plan kept */'
/**
 * `modifyFront(planKept)`: each connection plans the statement once instead of every time. For one that is asked often, in always the same words,
 * and is planned for longer than it runs: a page of Find took PostgreSQL 2.7 ms, of which 2.1 were its plan. It names its columns: a plan does
 * not outlive a change of what it answers.
 */
export const planKept = sql`${sql.raw(kept)}`

/** A statement that has a name is one that PostgreSQL remembers (https://www.postgresql.org/docs/current/sql-prepare.html). */
function keepPlans(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...call: unknown[]) => unknown
  const named = (text: unknown, values: unknown, ...rest: unknown[]) =>
    typeof text === 'string' && text.includes(kept)
      ? query({ name: createHash('sha1').update(text).digest('hex'), text, values }, ...rest)
      : query(text, values, ...rest)
  client.query = named as typeof client.query
}

/** How the server is configured, for rules that PostgreSQL applies. */
interface SessionSettings {
  /** False sets `lanewire.billing` to `off`. Whatever decides by a dealer's plan reads it there. */
  billing?: boolean
  /** True sets `lanewire.confirmed_only` to `on`: trading takes a confirmed address where no admin has chosen. */
  confirmedOnly?: boolean
  /** True sets `lanewire.verified_only` to `on`: the network's rule where no admin has chosen one. */
  verifiedOnly?: boolean
}

/**
 * Sets the limits of a new session by a statement: a pooler such as PgBouncer refuses a connection that is opened with settings.
 */
async function setUpSession(
  client: pg.ClientBase,
  { billing = true, confirmedOnly = false, verifiedOnly = false }: SessionSettings,
  patienceMs: number,
): Promise<void> {
  const settings = {
    statement_timeout: '5s',
    idle_in_transaction_session_timeout: '10s',
    ...(!billing && { 'lanewire.billing': 'off' }),
    ...(confirmedOnly && { 'lanewire.confirmed_only': 'on' }),
    ...(verifiedOnly && { 'lanewire.verified_only': 'on' }),
  }
  const query = {
    // A limit that the URL or the role sets wins.
    text: `select set_config(name, value, false) from json_each_text($1) as setting (name, value)
      where name like 'lanewire.%' or current_setting(name) = '0'`,
    values: [JSON.stringify(settings)],
    query_timeout: patienceMs,
  }
  await client.query(query)
}

/** Fails fast instead of queueing: connect 2 s unless configured otherwise, statement 5 s. */
export function openPool(
  connectionString: string,
  max: number,
  connectionTimeoutMillis: number,
  about: SessionSettings = {},
): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    max,
    types,
    connectionTimeoutMillis,
    keepAlive: true,
    verify: (client, done) => void setUpSession(client, about, connectionTimeoutMillis).then(() => done(), done),
  })
  // A connection that is lost while it rests, or between two statements of a transaction, would otherwise end the process: the pool
  // replaces it, and what is asked on it fails by itself.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => {
    client.on('error', () => undefined)
    keepPlans(client)
  })
  return pool
}

/**
 * What PostgreSQL says of a refused statement, without what was in it: names of tables, columns and constraints stay, values
 * and rows do not. Nobody has to remember it where an error is logged, kept with a failed job or shown on a screen.
 */
export function withoutContents(error: unknown): unknown {
  if (!(error instanceof pg.DatabaseError)) return error
  const { message } = error
  // These quote the value itself. Others quote names only.
  if (/^(22|42601)/.test(error.code ?? '')) error.message = message.replace(/".*"/s, '…')
  error.stack = (error.stack ?? '').replace(message, () => error.message)
  for (const field of ['detail', 'where', 'internalQuery', 'hint'] as const) delete error[field]
  return error
}

async function silenceContents(connection: DatabaseConnection): Promise<void> {
  const execute = connection.executeQuery.bind(connection)
  connection.executeQuery = async (query, ...options) => {
    try {
      return await execute(query, ...options)
    } catch (error) {
      throw withoutContents(error)
    }
  }
}

/** This process had no time for PostgreSQL, which answers: it has too much to do. Nothing was begun. */
export class ProcessBusy extends Error {}

const waitedTooLong =
  /timeout exceeded when trying to connect|due to connection timeout|timeout expired|Query read timeout/

/** If the event loop was busy for more of the wait than this, the process itself was what was slow. */
const busyShare = 0.8
/** How long to wait for a connection while others are served: on a slow machine a burst of one dealer takes seconds. */
const busyMs = 10_000

/** Waits longer for a connection while PostgreSQL serves others. @throws ProcessBusy when even that was not enough */
function withVerdict(pool: pg.Pool): Pick<pg.Pool, 'connect' | 'end'> {
  let released = 0
  pool.on('release', () => (released += 1))
  const connect = async (began = performance.now()): Promise<pg.PoolClient> => {
    const before = { released, utilization: performance.eventLoopUtilization() }
    try {
      return await pool.connect()
    } catch (error) {
      const { utilization } = performance.eventLoopUtilization(before.utilization)
      const isBusy = released > before.released || utilization > busyShare
      if (!(error instanceof Error) || !waitedTooLong.test(error.message) || !isBusy) throw error
      if (performance.now() - began > busyMs) throw new ProcessBusy(error.message, { cause: error })
      return connect(began)
    }
  }
  return { connect: (() => connect()) as pg.Pool['connect'], end: () => pool.end() }
}

/** snake_case in SQL, camelCase everywhere else: converted here and nowhere else. */
export function openDb(pool: pg.Pool): Db {
  return new Kysely<DB>({
    dialect: new PostgresDialect({ pool: withVerdict(pool), onCreateConnection: silenceContents }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  })
}

/** As the system names it; the last two are a container's that took its name along. */
const outOfReach = new Set(
  'ECONNREFUSED ECONNRESET ENOENT EPIPE ETIMEDOUT EHOSTUNREACH ENETUNREACH ENOTFOUND EAI_AGAIN'.split(' '),
)

/** Whether an error is PostgreSQL being out of reach rather than refusing the statement. */
export function isDatabaseDown(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = (error as { code?: unknown }).code
  if (typeof code === 'string') {
    if (outOfReach.has(code)) return true
    // 28 and 3D: its password has been changed, or the database is being restored; neither is the statement’s fault, as 08P01 is.
    if (/^(08(?!P01)|28|3D|57P0|53300)/.test(code)) return true
  }
  return /timeout exceeded when trying to connect|Connection terminated|connection timeout|Query read timeout|Client has encountered/i.test(
    error.message,
  )
}

/** A statement takes 65,535 values: rows of up to 65 go into one of so many. */
const rowsPerStatement = 1_000

/** Rows for one statement after the other: as many as there are need not fit into one. */
export function slices<T>(rows: readonly T[]): T[][] {
  const parts: T[][] = []
  for (let start = 0; start < rows.length; start += rowsPerStatement)
    parts.push(rows.slice(start, start + rowsPerStatement))
  return parts
}

/** The name of the constraint a statement broke, if that is what happened. */
export function brokenConstraint(error: unknown): string | undefined {
  if (error instanceof pg.DatabaseError && error.code?.startsWith('23') === true) return error.constraint
  return undefined
}

/** Whether PostgreSQL ended this transaction because it and another waited for each other. */
export function isDeadlock(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '40P01'
}

/** Whether a statement was given up because it took too long, most often because somebody else holds a row it needs. */
export function isOverdue(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '57014' || error.code === '55P03')
}

/** From here to its end no statement of this transaction waits longer for a lock. @throws 55P03 where one does */
export async function limitLockWait(tx: Tx, ms: number): Promise<void> {
  await sql`select set_config('lock_timeout', ${`${ms}ms`}, true)`.execute(tx)
}

/** As long as a statement waits for a row where nobody says otherwise. */
const patienceMs = 3_000

/**
 * The same for one statement by itself: to stand in its `from`, with a function after it that is given something only where
 * `lock_wait.is_set`, and so is called when the limit holds.
 */
export const lockWait = (ms = patienceMs) =>
  sql`(select set_config('lock_timeout', ${`${ms}ms`}, true) is not null as is_set offset 0) as lock_wait`

/** Not null, check, and what is larger than an index or a text may be; what begins with 22 is a value it cannot read. */
const valueRefused = /^(22|23502|23514|54)/

/**
 * Why PostgreSQL refused a statement for what it was given, so that something else may pass: for the `value` by itself, or for
 * the `others` that are stored, as where it must be the only one.
 */
export function refusedFor(error: unknown): 'value' | 'others' | undefined {
  if (!(error instanceof pg.DatabaseError) || error.code === undefined) return undefined
  if (valueRefused.test(error.code)) return 'value'
  return error.code.startsWith('23') ? 'others' : undefined
}
