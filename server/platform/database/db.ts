import { createHash } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { CamelCasePlugin, Kysely, PostgresDialect, sql, type DatabaseConnection, type Transaction } from 'kysely'
import pg from 'pg'
import type { DB } from '#server/db/schema.ts'

export type Db = Kysely<DB>
export type Tx = Transaction<DB>

const int8 = 20
const numeric = 1700
const date = 1082

/** Parses bigint and `numeric` columns as numbers: counts, cents, ratings and scores fit into a double. Keeps dates as text. */
const types = new pg.TypeOverrides()
types.setTypeParser(int8, Number)
types.setTypeParser(numeric, Number)
types.setTypeParser(date, String)

const planKeptMark = '/* plan kept */'
/**
 * Marks a frequent statement with constant text, so that each connection plans it only once: planning was 2.1 ms of the 2.7 ms of a Find
 * page. Never select `*` in such a statement, because a cached plan breaks when the result type changes.
 */
export const planKept = sql`${sql.raw(planKeptMark)}`

/** Names marked statements, so that PostgreSQL caches their plans (https://www.postgresql.org/docs/current/sql-prepare.html). */
function keepPlans(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...call: unknown[]) => unknown
  const named = (text: unknown, values: unknown, ...rest: unknown[]) =>
    typeof text === 'string' && text.includes(planKeptMark)
      ? query({ name: createHash('sha1').update(text).digest('hex'), text, values }, ...rest)
      : query(text, values, ...rest)
  client.query = named as typeof client.query
}

interface SessionSettings {
  /** If false, sets `lanewire.billing` to `off`, which turns off the subscription checks in SQL. */
  billing?: boolean
  /** Default for networks without their own setting: true if dealers need a confirmed email address to trade. */
  confirmedOnly?: boolean
  /** Default for networks without their own setting: true if only verified dealers can trade. */
  verifiedOnly?: boolean
}

/** Sets timeouts and settings by a statement, because poolers such as PgBouncer reject them as connection parameters. */
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
    // Keep timeouts that are already set in the URL or for the role. Zero means that no timeout is set.
    text: `select set_config(name, value, false) from json_each_text($1) as setting (name, value)
      where name like 'lanewire.%' or current_setting(name) = '0'`,
    values: [JSON.stringify(settings)],
    query_timeout: patienceMs,
  }
  await client.query(query)
}

/** Opens a pool whose statements time out after 5 s, unless the URL or the role sets another timeout. */
export function openPool(
  connectionString: string,
  max: number,
  connectionTimeoutMillis: number,
  settings: SessionSettings = {},
): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    max,
    types,
    connectionTimeoutMillis,
    keepAlive: true,
    verify: (client, done) => void setUpSession(client, settings, connectionTimeoutMillis).then(() => done(), done),
  })
  // Without these listeners, losing an idle connection would crash the process.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => {
    client.on('error', () => undefined)
    keepPlans(client)
  })
  return pool
}

/** Removes stored values from a PostgreSQL error, so that they cannot leak into logs, failed jobs or screens. */
export function redactError(error: unknown): unknown {
  if (!(error instanceof pg.DatabaseError)) return error
  const { message } = error
  // Messages with these codes quote the value. Other messages quote only names of tables, columns and constraints.
  if (/^(22|42601)/.test(error.code ?? '')) error.message = message.replace(/".*"/s, '…')
  error.stack = (error.stack ?? '').replace(message, () => error.message)
  for (const field of ['detail', 'where', 'internalQuery', 'hint'] as const) delete error[field]
  return error
}

async function redactErrors(connection: DatabaseConnection): Promise<void> {
  const execute = connection.executeQuery.bind(connection)
  connection.executeQuery = async (query, ...options) => {
    try {
      return await execute(query, ...options)
    } catch (error) {
      throw redactError(error)
    }
  }
}

/** Thrown if this process got no connection because it was too busy, although PostgreSQL is up. The statement was not sent. */
export class ProcessBusy extends Error {}

const waitedTooLong =
  /timeout exceeded when trying to connect|due to connection timeout|timeout expired|Query read timeout/

/** If the event loop was busy for more than this share of the wait, blame this process for the timeout, not PostgreSQL. */
const busyShare = 0.8
/** How long to keep retrying to get a connection. On a slow machine, a burst of requests from one dealer takes seconds. */
const busyMs = 10_000

/** Makes `connect` retry while other requests get connections or this process is busy. @throws ProcessBusy after `busyMs` */
function withConnectRetries(pool: pg.Pool): Pick<pg.Pool, 'connect' | 'end'> {
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

export function openDb(pool: pg.Pool): Db {
  return new Kysely<DB>({
    dialect: new PostgresDialect({ pool: withConnectRetries(pool), onCreateConnection: redactErrors }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  })
}

/** The last two codes occur when a database container and its host name were removed. */
const outOfReach = new Set(
  'ECONNREFUSED ECONNRESET ENOENT EPIPE ETIMEDOUT EHOSTUNREACH ENETUNREACH ENOTFOUND EAI_AGAIN'.split(' '),
)

export function isDatabaseDown(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = (error as { code?: unknown }).code
  if (typeof code === 'string') {
    if (outOfReach.has(code)) return true
    // Codes 28… and 3D… occur after a password change or during a restore. 08P01 is an error in the statement itself.
    if (/^(08(?!P01)|28|3D|57P0|53300)/.test(code)) return true
  }
  return /timeout exceeded when trying to connect|Connection terminated|connection timeout|Query read timeout|Client has encountered/i.test(
    error.message,
  )
}

/** PostgreSQL allows 65,535 parameters per statement, so this many rows may have up to 65 columns. */
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

/** True if the statement or its wait for a lock timed out. The usual cause is a locked row. */
export function isOverdue(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '57014' || error.code === '55P03')
}

/** Limits how long each statement of the transaction waits for a lock. A longer wait fails with code 55P03. */
export async function limitLockWait(tx: Tx, ms: number): Promise<void> {
  await sql`select set_config('lock_timeout', ${`${ms}ms`}, true)`.execute(tx)
}

const patienceMs = 3_000

/** Sets the lock timeout within a statement. The statement must lock rows only where `lock_wait.is_set`, so that this runs first. */
export const lockWait = (ms = patienceMs) =>
  sql`(select set_config('lock_timeout', ${`${ms}ms`}, true) is not null as is_set offset 0) as lock_wait`

/** Codes 22… mean that PostgreSQL cannot parse a value. The others are not-null and check constraints, and size limits. */
const valueRefused = /^(22|23502|23514|54)/

/** Says whether PostgreSQL rejected the `value` itself or its conflict with `others` (stored rows). Undefined for other errors. */
export function rejectionOf(error: unknown): 'value' | 'conflict' | undefined {
  if (!(error instanceof pg.DatabaseError) || error.code === undefined) return undefined
  if (valueRefused.test(error.code)) return 'value'
  return error.code.startsWith('23') ? 'conflict' : undefined
}
