import { sql } from 'kysely'
import type { Entitlement } from '#shared/entitlements.ts'
import type { AddOnEdit, PlanEdit, SubscriptionStatus } from '#shared/schemas/billing.ts'
import { liveStatuses } from '#server/features/entitlements/plan-statuses.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'
import { centsOf } from '#server/platform/money.ts'

export async function listPlans(db: Db) {
  return db.selectFrom('plans').selectAll().where('active', '=', true).orderBy('position').execute()
}

export async function findPlan(db: Db, planId: string) {
  return db.selectFrom('plans').selectAll().where('id', '=', planId).executeTakeFirst()
}

export async function lockPlan(tx: Tx, id: string) {
  return tx.selectFrom('plans').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

export async function updatePlan(tx: Tx, id: string, { price, isActive }: PlanEdit): Promise<void> {
  await tx
    .updateTable('plans')
    .set({
      ...(price !== undefined && { priceCents: centsOf(price) }),
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

export async function findLiveSubscription(db: Db, dealerId: string) {
  return db
    .selectFrom('subscriptions')
    .innerJoin('plans', 'plans.id', 'subscriptions.planId')
    .selectAll('subscriptions')
    .select('plans.name as planName')
    .where('subscriptions.dealerId', '=', dealerId)
    .where('subscriptions.status', 'in', liveStatuses)
    .executeTakeFirst()
}
export async function hasSubscriptionRow(db: Db, dealerId: string): Promise<boolean> {
  const row = await db
    .selectFrom('subscriptions')
    .select('id')
    .where('dealerId', '=', dealerId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export type LiveSubscription = NonNullable<Awaited<ReturnType<typeof findLiveSubscription>>>

export async function insertGrant(
  tx: Tx,
  grant: { dealerId: string; entitlement: Entitlement; grantedBy: string },
): Promise<boolean> {
  const result = await tx
    .insertInto('entitlementGrants')
    .values(grant)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return result.numInsertedOrUpdatedRows === 1n
}

/** Removes one entitlement, or all of them. Returns false if there was none. */
export async function removeGrants(tx: Tx, dealerId: string, entitlement?: Entitlement): Promise<boolean> {
  let query = tx.deleteFrom('entitlementGrants').where('dealerId', '=', dealerId)
  if (entitlement !== undefined) query = query.where('entitlement', '=', entitlement)
  const result = await query.executeTakeFirst()
  return result.numDeletedRows > 0n
}

export async function findBillingCustomer(db: Db, dealerId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('billingCustomers')
    .select('stripeId')
    .where('dealerId', '=', dealerId)
    .executeTakeFirst()
  return row?.stripeId
}

export async function insertBillingCustomer(db: Db, dealerId: string, stripeId: string): Promise<void> {
  await db
    .insertInto('billingCustomers')
    .values({ dealerId, stripeId })
    .onConflict((conflict) => conflict.column('dealerId').doNothing())
    .execute()
}

export async function removeCardMark(tx: Tx, dealerId: string): Promise<void> {
  await tx.updateTable('billingCustomers').set({ cardMark: null }).where('dealerId', '=', dealerId).execute()
}

export async function replaceBillingCustomer(tx: Tx, dealerId: string, stripeId: string): Promise<void> {
  await tx.updateTable('billingCustomers').set({ stripeId }).where('dealerId', '=', dealerId).execute()
}

/** Makes a subscription that the provider has lost complimentary, or marks it as canceled. */
export async function updateLostSubscription(tx: Tx, id: string, complimentary: boolean): Promise<void> {
  await tx
    .updateTable('subscriptions')
    .set({
      ...(complimentary ? { stripeId: null, status: 'active' } : { status: 'canceled' }),
      updatedAt: sql<Date>`now()`,
    })
    .where('id', '=', id)
    .execute()
}

/** Increments the customer's sync number (see `syncCustomer`). Returns undefined if the customer is unknown. */
export async function nextSyncSeq(db: Db, stripeId: string) {
  return db
    .updateTable('billingCustomers')
    .set({ seq: sql<number>`seq + 1` })
    .where('stripeId', '=', stripeId)
    .returning(['dealerId', 'seq'])
    .executeTakeFirst()
}

/** Records a sync. Returns false if a newer sync was saved first. Locks the customer's row until the transaction ends. */
export async function claimSync(tx: Tx, stripeId: string, seq: number, cardMark: string | null): Promise<boolean> {
  const result = await tx
    .updateTable('billingCustomers')
    .set({
      syncedSeq: seq,
      // A paid subscription can outlive its deleted account. Do not store the card fingerprint of a deleted account again.
      cardMark: sql<string | null>`case when exists (select from dealers d where d.id = billing_customers.dealer_id
        and d.deleted_at is null) then ${cardMark}::text end`,
    })
    .where('stripeId', '=', stripeId)
    .where('syncedSeq', '<', seq)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

export interface SubscriptionState {
  stripeId: string
  planId: string
  status: SubscriptionStatus
  priceCents: number
  currentPeriodEnd: Date | null
  cancelAtPeriodEnd: boolean
}

export async function findSubscriptionByStripeId(db: Db, stripeId: string) {
  return db.selectFrom('subscriptions').selectAll().where('stripeId', '=', stripeId).executeTakeFirst()
}

export async function upsertSubscription(tx: Tx, dealerId: string, state: SubscriptionState): Promise<string> {
  const row = await tx
    .insertInto('subscriptions')
    .values({ dealerId, ...state })
    .onConflict((conflict) => conflict.column('stripeId').doUpdateSet({ ...state, updatedAt: sql<Date>`now()` }))
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

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

export async function replaceAddOns(tx: Tx, subscriptionId: string, addOns: readonly HeldAddOn[]): Promise<void> {
  await tx.deleteFrom('subscriptionAddOns').where('subscriptionId', '=', subscriptionId).execute()
  if (addOns.length === 0) return
  await tx
    .insertInto('subscriptionAddOns')
    .values(addOns.map(({ id, priceCents }) => ({ subscriptionId, addOnId: id, priceCents })))
    .execute()
}

export async function upsertGift(
  tx: Tx,
  gift: { dealerId: string; planId: string; priceCents: number; givenUntil: Date },
): Promise<void> {
  const { dealerId, ...given } = gift
  const state = { ...given, status: 'active', currentPeriodEnd: null, cancelAtPeriodEnd: false } as const
  const updated = await tx
    .updateTable('subscriptions')
    .set({ ...state, updatedAt: sql<Date>`now()` })
    .where('dealerId', '=', dealerId)
    .where('stripeId', 'is', null)
    .where('status', 'in', liveStatuses)
    .executeTakeFirst()
  if (updated.numUpdatedRows === 0n)
    await tx
      .insertInto('subscriptions')
      .values({ dealerId, ...state })
      .execute()
}

/** Ends a complimentary plan that is due, or any complimentary plan if `early`. Returns undefined if there was none. */
export async function endGift(
  tx: Tx,
  dealerId: string,
  { early }: { early: boolean },
): Promise<{ planId: string; givenUntil: Date | null } | undefined> {
  let query = tx
    .updateTable('subscriptions')
    .set({ status: 'canceled', updatedAt: sql<Date>`now()` })
    .where('dealerId', '=', dealerId)
    .where('givenUntil', 'is not', null)
    .where('status', 'in', liveStatuses)
  if (!early) query = query.where('givenUntil', '<=', sql<Date>`now()`)
  return query.returning(['planId', 'givenUntil']).executeTakeFirst()
}

export async function endComplimentary(tx: Tx, dealerId: string): Promise<void> {
  await tx
    .updateTable('subscriptions')
    .set({ status: 'canceled', updatedAt: sql<Date>`now()` })
    .where('dealerId', '=', dealerId)
    .where('stripeId', 'is', null)
    .where('status', 'in', liveStatuses)
    .execute()
}

export async function updateComplimentaryCancel(db: Db, dealerId: string, cancelAtPeriodEnd: boolean): Promise<void> {
  await db
    .updateTable('subscriptions')
    .set({ cancelAtPeriodEnd, updatedAt: sql<Date>`now()` })
    .where('dealerId', '=', dealerId)
    .where('stripeId', 'is', null)
    .where('status', 'in', liveStatuses)
    .execute()
}

/** Gives complimentary plans to demo dealers who have no plan. */
export async function insertComplimentary(
  db: Db,
  rows: { dealerId: string; planId: string; currentPeriodEnd: Date }[],
) {
  if (rows.length === 0) return
  await db
    .insertInto('subscriptions')
    .columns(['dealerId', 'planId', 'status', 'priceCents', 'currentPeriodEnd'])
    .expression((eb) =>
      eb
        .selectFrom(
          sql<{ dealerId: string; planId: string; currentPeriodEnd: Date }>`unnest(
            ${rows.map((row) => row.dealerId)}::uuid[], ${rows.map((row) => row.planId)}::text[],
            ${rows.map((row) => row.currentPeriodEnd.toISOString())}::timestamptz[])`.as<'given'>(
            sql`given(dealer_id, plan_id, current_period_end)`,
          ),
        )
        .innerJoin('plans', 'plans.id', 'given.planId')
        .select([
          'given.dealerId',
          'given.planId',
          sql<string>`'active'`.as('status'),
          'plans.priceCents',
          'given.currentPeriodEnd',
        ]),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Returns false if the event was already recorded. */
export async function insertStripeEvent(tx: Tx, event: { id: string; type: string }): Promise<boolean> {
  const row = await tx
    .insertInto('stripeEvents')
    .values(event)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}
