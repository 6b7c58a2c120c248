import { sql } from 'kysely'
import type { Db, Tx } from '#server/platform/database/db.ts'

/** True if there is no admin and the setup has never created one. */
export async function isWithoutAdmin(db: Db): Promise<boolean> {
  const { rows } = await sql<{ without: boolean }>`
    select not exists (select from dealers where role = 'admin' and deleted_at is null)
      and not exists (select from first_admin where made_at is not null) as without`.execute(db)
  return rows[0]?.without === true
}

/** Returns the salt of the setup token. All processes share it. */
export async function findSalt(db: Db): Promise<Buffer> {
  await db
    .insertInto('firstAdmin')
    .defaultValues()
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { salt } = await db.selectFrom('firstAdmin').select('salt').executeTakeFirstOrThrow()
  return salt
}

/** A concurrent setup waits for this lock and then finds an admin. */
export async function lockFirstAdmin(tx: Tx): Promise<void> {
  await tx.selectFrom('firstAdmin').select('onlyRow').forUpdate().execute()
}

export async function markFirstAdmin(tx: Tx): Promise<void> {
  await tx
    .updateTable('firstAdmin')
    .set({ madeAt: sql<Date>`now()` })
    .execute()
}
