import { createHash } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { CamelCasePlugin, Kysely, PostgresDialect, sql, type DatabaseConnection, type Transaction } from 'kysely'
import pg from 'pg'
import type { DB } from '#server/db/schema.ts'

/** A connection pool or a transaction. It is the first argument of every repository function. */
export type Db = Kysely<DB>
export type Tx = Transaction<DB>

const int8 = 20
const numeric = 1700
const date = 1082

/**
 * Parses integers and `numeric` columns as numbers, and dates as text. Counts and cents fit into a double, and `numeric` columns
 * hold only ratings and scores.
 */
const types = new pg.TypeOverrides()
types.setTypeParser(int8, Number)
types.setTypeParser(numeric, Number)
types.setTypeParser(date, String)

const kept = '/* plan kept */'
/**
 * Marks a statement whose plan PostgreSQL should keep. With `modifyFront(planKept)`, each connection plans the statement only
 * once. Use it for frequent statements with constant text that take longer to plan than to run: planning was 2.1 ms of the 2.7 ms
 * of a Find page. Name the columns instead of using `*`, because a cached plan breaks when the result type changes.
 */
export const planKept = sql`${sql.raw(kept)}`

/**
 * Makes PostgreSQL keep the plan of a marked statement by giving the statement a name
 * (https://www.postgresql.org/docs/current/sql-prepare.html).
 */
function keepPlans(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...call: unknown[]) => unknown
  const named = (text: unknown, values: unknown, ...rest: unknown[]) =>
    typeof text === 'string' && text.includes(kept)
      ? query({ name: createHash('sha1').update(text).digest('hex'), text, values }, ...rest)
      : query(text, values, ...rest)
  client.query = named as typeof client.query
}

interface SessionSettings {
  /** False sets `lanewire.billing` to `off`, which plan checks in SQL read. */
  billing?: boolean
  /** True sets `lanewire.confirmed_only` to `on`, the default for requiring a confirmed email address to trade. */
  confirmedOnly?: boolean
  /** True sets `lanewire.verified_only` to `on`, the default for allowing only verified dealers to trade. */
  verifiedOnly?: boolean
}

/** Sets the session's limits with a statement, because poolers such as PgBouncer reject them as connection parameters. */
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
    // Keep limits that are set in the URL or for the role.
    text: `select set_config(name, value, false) from json_each_text($1) as setting (name, value)
      where name like 'lanewire.%' or current_setting(name) = '0'`,
    values: [JSON.stringify(settings)],
    query_timeout: patienceMs,
  }
  await client.query(query)
}

/** Opens a pool that fails fast: after 2 s for a connection unless configured otherwise, and after 5 s for a statement. */
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
  // Without these listeners, losing an idle connection would crash the process. The pool replaces lost connections.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => {
    client.on('error', () => undefined)
    keepPlans(client)
  })
  return pool
}

/**
 * Removes values and rows from a PostgreSQL error, so that they cannot leak into logs, failed jobs and screens. Names of tables,
 * columns and constraints are kept.
 */
export function withoutContents(error: unknown): unknown {
  if (!(error instanceof pg.DatabaseError)) return error
  const { message } = error
  // Messages with these codes quote the value. Messages with other codes quote only names.
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

/** Thrown if PostgreSQL is reachable, but this process is too busy to use it. The statement was not sent. */
export class ProcessBusy extends Error {}

const waitedTooLong =
  /timeout exceeded when trying to connect|due to connection timeout|timeout expired|Query read timeout/

/** If the event loop was busy for more than this share of the wait, the process itself was the bottleneck. */
const busyShare = 0.8
/**
 * Maximum milliseconds to wait for a connection while PostgreSQL serves other requests. On a slow machine, a burst of requests
 * from one dealer takes seconds.
 */
const busyMs = 10_000

/**
 * Wraps `connect` so that it waits longer while PostgreSQL serves other requests or this process is busy. @throws ProcessBusy
 * after `busyMs`
 */
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

/** Wraps the pool in Kysely. Converts between snake_case in SQL and camelCase in code. */
export function openDb(pool: pg.Pool): Db {
  return new Kysely<DB>({
    dialect: new PostgresDialect({ pool: withVerdict(pool), onCreateConnection: silenceContents }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  })
}

/** System error codes for an unreachable server. The last two occur when a container was removed together with its host name. */
const outOfReach = new Set(
  'ECONNREFUSED ECONNRESET ENOENT EPIPE ETIMEDOUT EHOSTUNREACH ENETUNREACH ENOTFOUND EAI_AGAIN'.split(' '),
)

export function isDatabaseDown(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = (error as { code?: unknown }).code
  if (typeof code === 'string') {
    if (outOfReach.has(code)) return true
    // Codes 28… and 3D… mean that the password has changed or the database is being restored. 08P01 is excluded, because the
    // statement itself causes it.
    if (/^(08(?!P01)|28|3D|57P0|53300)/.test(code)) return true
  }
  return /timeout exceeded when trying to connect|Connection terminated|connection timeout|Query read timeout|Client has encountered/i.test(
    error.message,
  )
}

/** PostgreSQL allows 65,535 parameters per statement, which is enough for this many rows of up to 65 columns. */
const rowsPerStatement = 1_000

export function slices<T>(rows: readonly T[]): T[][] {
  const parts: T[][] = []
  for (let start = 0; start < rows.length; start += rowsPerStatement)
    parts.push(rows.slice(start, start + rowsPerStatement))
  return parts
}

export function brokenConstraint(error: unknown): string | undefined {
  if (error instanceof pg.DatabaseError && error.code?.startsWith('23') === true) return error.constraint
  return undefined
}

export function isDeadlock(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '40P01'
}

/** Returns true if a statement timed out, usually while waiting for a row lock. */
export function isOverdue(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '57014' || error.code === '55P03')
}

/** Sets the lock timeout for the rest of the transaction. @throws 55P03 when a statement waits longer for a lock */
export async function limitLockWait(tx: Tx, ms: number): Promise<void> {
  await sql`select set_config('lock_timeout', ${`${ms}ms`}, true)`.execute(tx)
}

const patienceMs = 3_000

/**
 * Returns a table expression that sets the lock timeout within a statement. Call the function that locks rows only where
 * `lock_wait.is_set`, so that the timeout is set first.
 */
export const lockWait = (ms = patienceMs) =>
  sql`(select set_config('lock_timeout', ${`${ms}ms`}, true) is not null as is_set offset 0) as lock_wait`

/**
 * Matches codes of violated not-null and check constraints and of values over PostgreSQL's size limits. Codes 22… are values that
 * PostgreSQL cannot parse.
 */
const valueRefused = /^(22|23502|23514|54)/

/**
 * Returns why PostgreSQL rejected the data: the `value` is invalid, or it conflicts with `others` that are stored. Returns
 * undefined for other errors.
 */
export function refusedFor(error: unknown): 'value' | 'others' | undefined {
  if (!(error instanceof pg.DatabaseError) || error.code === undefined) return undefined
  if (valueRefused.test(error.code)) return 'value'
  return error.code.startsWith('23') ? 'others' : undefined
}
