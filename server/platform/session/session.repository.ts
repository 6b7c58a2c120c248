import { sql } from 'kysely'
import type { DealerRole } from '#shared/schemas/dealers.ts'
import { planKept, type Db, type Tx } from '../database/db.ts'
import { isSuspended } from '../database/suspension.ts'

export interface SessionRow {
  dealerId: string
  role: DealerRole
  name: string
  profileCompletedAt: Date | null
  waitingSince: Date | null
  lastSeenAt: Date
  secondFactorAt: Date | null
  /** Whether staff need a second factor in this network, or null if no admin has decided. */
  staffSecondFactor: boolean | null
}

const idleDays = 14
const absoluteDays = 60

export interface CheckedAccount {
  passwordHash?: string | undefined
  withoutSecondFactor?: boolean
}

/**
 * Inserts a session. Returns false if the account is deleted or suspended, or has changed since its sign-in was checked: it has another
 * password hash or a new second factor. Waits for a concurrent change, so that the change either ends this session or prevents it.
 */
export async function insertSession(
  db: Db,
  session: { hash: Buffer; dealerId: string; userAgent: string | null; address: string | null },
  { passwordHash, withoutSecondFactor = false }: CheckedAccount,
): Promise<boolean> {
  const { hash, dealerId, userAgent, address } = session
  const result = await db
    .insertInto('sessions')
    .columns(['hash', 'dealerId', 'userAgent', 'address', 'expiresAt'])
    .expression((eb) => {
      let account = eb
        .selectFrom('dealers')
        .select([
          sql<Buffer>`${hash}::bytea`.as('hash'),
          'dealers.id',
          sql<string | null>`${userAgent}::text`.as('userAgent'),
          sql<string | null>`${address}::text`.as('address'),
          sql<Date>`now() + ${absoluteDays} * interval '1 day'`.as('expiresAt'),
        ])
        .where('dealers.id', '=', dealerId)
        .where('dealers.deletedAt', 'is', null)
        .where(({ not }) => not(isSuspended('dealers')))
        .forShare()
      if (passwordHash !== undefined) account = account.where('dealers.passwordHash', '=', passwordHash)
      if (withoutSecondFactor) account = account.where('dealers.secondFactorAt', 'is', null)
      return account
    })
    .executeTakeFirst()
  return result.numInsertedOrUpdatedRows === 1n
}

/** Sessions that have been idle for longer than `idleDays` count as signed out. */
export const notIdle = sql<boolean>`sessions.last_seen_at > now() - ${idleDays} * interval '1 day'`

const openSessions = (db: Db) =>
  db
    .selectFrom('sessions')
    .innerJoin('dealers', 'dealers.id', 'sessions.dealerId')
    .where('sessions.expiresAt', '>', sql<Date>`now()`)
    .where(notIdle)
    .where('dealers.deletedAt', 'is', null)
    .where((eb) => eb.not(isSuspended('dealers')))

export async function findSession(db: Db, hash: Buffer): Promise<SessionRow | undefined> {
  return openSessions(db)
    .modifyFront(planKept)
    .select([
      'dealers.id as dealerId',
      'dealers.role',
      'dealers.name',
      'dealers.profileCompletedAt',
      'dealers.waitingSince',
      'sessions.lastSeenAt',
      'dealers.secondFactorAt',
    ])
    .select((eb) => eb.selectFrom('networkSettings').select('staffSecondFactor').as('staffSecondFactor'))
    .where('sessions.hash', '=', hash)
    .executeTakeFirst()
}

export async function findStaffRule(db: Db): Promise<boolean | null> {
  return (await db.selectFrom('networkSettings').select('staffSecondFactor').executeTakeFirstOrThrow())
    .staffSecondFactor
}

export async function listOpenSessions(db: Db, sessionIds: string[]): Promise<Set<string>> {
  const rows = await openSessions(db)
    .select('sessions.hash')
    .where('sessions.hash', '=', sql<Buffer>`any(${sessionIds.map((id) => Buffer.from(id, 'hex'))}::bytea[])`)
    .execute()
  return new Set(rows.map(({ hash }) => hash.toString('hex')))
}

export async function touchSession(db: Db, hash: Buffer): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ lastSeenAt: sql<Date>`now()` })
    .where('hash', '=', hash)
    .execute()
}

export async function hasSession(db: Db, dealerId: string, hash: Buffer): Promise<boolean> {
  const row = await db
    .selectFrom('sessions')
    .select('dealerId')
    .where('dealerId', '=', dealerId)
    .where('hash', '=', hash)
    .executeTakeFirst()
  return row !== undefined
}

const provenMinutes = 15

/** True if the dealer proved their identity in this session in the last 15 minutes, by signing in or by an emailed link. */
export async function isProven(db: Db, dealerId: string, hash: Buffer): Promise<boolean> {
  const row = await db
    .selectFrom('sessions')
    .select('dealerId')
    .where('dealerId', '=', dealerId)
    .where('hash', '=', hash)
    .where('provenAt', '>', sql<Date>`now() - ${provenMinutes} * interval '1 minute'`)
    .executeTakeFirst()
  return row !== undefined
}

export async function updateProven(tx: Tx, dealerId: string, hash: Buffer): Promise<void> {
  await tx
    .updateTable('sessions')
    .set({ provenAt: sql<Date>`now()` })
    .where('dealerId', '=', dealerId)
    .where('hash', '=', hash)
    .execute()
}

export async function removeSession(db: Db, dealerId: string, hash: Buffer): Promise<boolean> {
  const result = await db
    .deleteFrom('sessions')
    .where('dealerId', '=', dealerId)
    .where('hash', '=', hash)
    .executeTakeFirst()
  return result.numDeletedRows > 0n
}

/** Ends all sessions of the dealer except `exceptHash`. Returns the hashes of the ended sessions. */
export async function removeSessions(db: Db, dealerId: string, exceptHash?: Buffer): Promise<Buffer[]> {
  let query = db.deleteFrom('sessions').where('dealerId', '=', dealerId)
  if (exceptHash !== undefined) query = query.where('hash', '!=', exceptHash)
  const rows = await query.returning('hash').execute()
  return rows.map((row) => row.hash)
}

export async function listSessions(db: Db, dealerId: string) {
  return db
    .selectFrom('sessions')
    .select(['hash', 'createdAt', 'lastSeenAt', 'userAgent', 'address'])
    .where('dealerId', '=', dealerId)
    .where('expiresAt', '>', sql<Date>`now()`)
    .where(notIdle)
    .orderBy('lastSeenAt', 'desc')
    .execute()
}

export async function removeEndedSessions(tx: Tx, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from sessions where hash in (select hash from sessions where expires_at < ${before} limit ${limit})`.execute(
    tx,
  )
  return Number(numAffectedRows ?? 0)
}
