import pg from 'pg'
import { StartFault } from '#server/errors.ts'

const fault = `DATABASE_URL leads to a pooler that shares one session of PostgreSQL among several connections, as PgBouncer does with pool_mode = transaction or statement: set pool_mode = session`

const rounds = 4

async function askPid(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid ?? 0
}

/** Runs queries on both clients while `holder` has a transaction open. Returns true if each client keeps a session of its own. */
async function areApart(holder: pg.Client, other: pg.Client, known: Map<pg.Client, number>): Promise<boolean> {
  const isKnown = async (client: pg.Client) => {
    const pid = await askPid(client)
    const before = known.get(client) ?? pid
    known.set(client, pid)
    return pid === before && [...known].every(([one, its]) => one === client || its !== pid)
  }
  if (!(await isKnown(other))) return false
  await holder.query('begin')
  try {
    return (await isKnown(holder)) && (await isKnown(other))
  } finally {
    await holder.query('rollback')
  }
}

/**
 * Checks that each connection has its own PostgreSQL session, which settings, prepared statements and locks require.
 * @throws {StartFault} if a pooler shares sessions
 */
export async function assertOwnSessions(databaseUrl: string): Promise<void> {
  const clients = [0, 1].map(() => new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 }))
  const [one, other] = clients as [pg.Client, pg.Client]
  // Without this listener, a broken connection would crash the process. Pending queries report the error anyway.
  for (const client of clients) client.on('error', () => undefined)
  const known = new Map<pg.Client, number>()
  try {
    for (const client of clients) await client.connect()
    for (let round = 0; round < rounds; round += 1)
      if (!(await (round % 2 === 0 ? areApart(one, other, known) : areApart(other, one, known))))
        throw new StartFault(fault)
  } catch (error) {
    throw /statement pooling/.test((error as Error).message) ? new StartFault(fault) : error
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)))
  }
}
