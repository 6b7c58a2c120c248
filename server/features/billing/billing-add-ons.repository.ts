import type { Db, Tx } from '#server/platform/db.ts'

const shown = ['addOns.id', 'addOns.name', 'addOns.description'] as const

export async function listOfferedAddOns(db: Db) {
  return db
    .selectFrom('addOns')
    .select([...shown, 'addOns.priceCents'])
    .where('active', '=', true)
    .orderBy('id')
    .execute()
}

export async function findAddOn(db: Db, id: string) {
  return db.selectFrom('addOns').selectAll().where('id', '=', id).executeTakeFirst()
}

/** What is held beside a plan, at the price it was taken for. */
export async function listHeldAddOns(db: Db, subscriptionId: string) {
  return db
    .selectFrom('subscriptionAddOns')
    .innerJoin('addOns', 'addOns.id', 'subscriptionAddOns.addOnId')
    .select([...shown, 'subscriptionAddOns.priceCents'])
    .where('subscriptionId', '=', subscriptionId)
    .orderBy('addOns.id')
    .execute()
}

export interface HeldAddOn {
  id: string
  priceCents: number
}

export async function listAddOnsOf(db: Db, subscriptionId: string): Promise<HeldAddOn[]> {
  return db
    .selectFrom('subscriptionAddOns')
    .select(['addOnId as id', 'priceCents'])
    .where('subscriptionId', '=', subscriptionId)
    .execute()
}

/** Makes what is held equal to `addOns`. */
export async function replaceAddOns(tx: Tx, subscriptionId: string, addOns: readonly HeldAddOn[]): Promise<void> {
  await tx.deleteFrom('subscriptionAddOns').where('subscriptionId', '=', subscriptionId).execute()
  if (addOns.length === 0) return
  await tx
    .insertInto('subscriptionAddOns')
    .values(addOns.map(({ id, priceCents }) => ({ subscriptionId, addOnId: id, priceCents })))
    .execute()
}
