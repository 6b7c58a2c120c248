import { sql } from 'kysely'
import type { Db, Tx } from '#server/platform/db.ts'

/** Nobody was made the first admin here, and nobody is an admin who came in another way. */
export async function isWithoutAdmin(db: Db): Promise<boolean> {
  const { rows } = await sql<{ without: boolean }>`
    select not exists (select from dealers where role = 'admin' and deleted_at is null)
      and not exists (select from first_admin where made_at is not null) as without`.execute(db)
  return rows[0]?.without === true
}

/** The same for every process from the first that asks. */
export async function findSalt(db: Db): Promise<Buffer> {
  await db
    .insertInto('firstAdmin')
    .defaultValues()
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { salt } = await db.selectFrom('firstAdmin').select('salt').executeTakeFirstOrThrow()
  return salt
}

/** One after the other: who comes second finds an admin. */
export async function lockFirstAdmin(tx: Tx): Promise<void> {
  await tx.selectFrom('firstAdmin').select('onlyRow').forUpdate().execute()
}

export async function markFirstAdmin(tx: Tx): Promise<void> {
  await tx
    .updateTable('firstAdmin')
    .set({ madeAt: sql<Date>`now()` })
    .execute()
}
