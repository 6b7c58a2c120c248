import { sql } from 'kysely'
import type { AddOnEdit, PlanEdit } from '#shared/schemas/billing.ts'
import type { Tx } from '#server/platform/db.ts'
import { centsOf } from '#server/platform/money.ts'

export async function lockPlan(tx: Tx, id: string) {
  return tx.selectFrom('plans').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

export async function updatePlan(tx: Tx, id: string, { price, features, isActive }: PlanEdit): Promise<void> {
  await tx
    .updateTable('plans')
    .set({
      ...(price !== undefined && { priceCents: centsOf(price) }),
      ...(features !== undefined && { features }),
      ...(isActive !== undefined && { active: isActive }),
      updatedAt: sql<Date>`now()`,
    })
    .where('id', '=', id)
    .execute()
}

export async function lockAddOn(tx: Tx, id: string) {
  return tx.selectFrom('addOns').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

export async function updateAddOn(tx: Tx, id: string, { price, description, isActive }: AddOnEdit): Promise<void> {
  await tx
    .updateTable('addOns')
    .set({
      ...(price !== undefined && { priceCents: centsOf(price) }),
      ...(description !== undefined && { description }),
      ...(isActive !== undefined && { active: isActive }),
      updatedAt: sql<Date>`now()`,
    })
    .where('id', '=', id)
    .execute()
}

export async function countActivePlans(tx: Tx): Promise<number> {
  const row = await tx
    .selectFrom('plans')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('active', '=', true)
    .executeTakeFirstOrThrow()
  return row.count
}
