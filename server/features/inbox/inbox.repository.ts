import { sql } from 'kysely'
import type { Db, Tx } from '#server/platform/db.ts'

/** Raises the dealers' numbers under their row locks, always in the order of their ids so that two never wait in a ring. */
export async function bumpRevs(tx: Tx, dealerIds: string[]): Promise<{ id: string; rev: number }[]> {
  const { rows } = await sql<{ id: string; rev: number }>`
    with locked as (select id from dealers where id = any(${dealerIds}::uuid[]) order by id for no key update)
    update dealers set rev = rev + 1 from locked where dealers.id = locked.id returning dealers.id, dealers.rev`.execute(
    tx,
  )
  return rows
}

export async function findRev(db: Db, dealerId: string): Promise<number> {
  const row = await db.selectFrom('dealers').select('rev').where('id', '=', dealerId).executeTakeFirst()
  return row?.rev ?? 0
}
