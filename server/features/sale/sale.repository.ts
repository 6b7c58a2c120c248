import { sql, type UpdateObject } from 'kysely'
import type { PostState } from '#shared/events/posts.ts'
import type { VehicleStatus } from '#shared/schemas/posts.ts'
import type { DB } from '#server/db/schema.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'
import { isSuspended } from '#server/platform/database/suspension.ts'
import { stateColumns, statusColumns, toPostState } from './post-state.rows.ts'

export async function lockPost(tx: Tx, postId: string) {
  return tx
    .selectFrom('posts')
    .select(['id', 'dealerId', 'status', 'version', 'title', 'description', 'isAuction'])
    .where('id', '=', postId)
    .where('deletedAt', 'is', null)
    .where('hiddenAt', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** Locks the post even if it is deleted or hidden. `gone`: the post is deleted or hidden, or its seller is suspended. */
export async function lockLot(tx: Tx, postId: string): Promise<{ gone: boolean } | undefined> {
  return tx
    .selectFrom('posts')
    .select((eb) =>
      sql<boolean>`deleted_at is not null or hidden_at is not null or ${eb.exists(
        eb
          .selectFrom('dealers')
          .select('dealers.id')
          .whereRef('dealers.id', '=', 'posts.dealerId')
          .where(isSuspended('dealers')),
      )}`.as('gone'),
    )
    .where('id', '=', postId)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** Updates a post and increments its version. Returns the post's state. */
export async function updatePost(tx: Tx, postId: string, change: UpdateObject<DB, 'posts'>): Promise<PostState> {
  const row = await tx
    .updateTable('posts')
    .set({ ...change, version: sql<number>`version + 1`, updatedAt: sql<Date>`clock_timestamp()` })
    .where('id', '=', postId)
    .returning(stateColumns)
    .executeTakeFirstOrThrow()
  return toPostState(row)
}

export async function updateVehicleStatus(
  tx: Tx,
  postId: string,
  vehicleId: string,
  status: VehicleStatus,
  from?: VehicleStatus,
): Promise<boolean> {
  let query = tx
    .updateTable('vehicles')
    .set(statusColumns(status))
    .where('id', '=', vehicleId)
    .where('postId', '=', postId)
  if (from !== undefined) query = query.where('status', '=', from)
  return (await query.executeTakeFirst()).numUpdatedRows > 0n
}

export async function countAvailable(tx: Tx, postId: string): Promise<number> {
  const { count } = await tx
    .selectFrom('vehicles')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('postId', '=', postId)
    .where('status', '=', 'available')
    .executeTakeFirstOrThrow()
  return count
}

export async function listSummaryVehicles(db: Db, postId: string) {
  return db.selectFrom('vehicles').selectAll().where('postId', '=', postId).orderBy('position').execute()
}

export async function findDealVehicle(tx: Tx, postId: string, vehicleId: string | undefined) {
  let query = tx.selectFrom('vehicles').selectAll().where('postId', '=', postId)
  if (vehicleId !== undefined) query = query.where('id', '=', vehicleId)
  return query.orderBy('position').limit(1).executeTakeFirst()
}

/** True if the vehicle has a deal that is not canceled. The index `deals_living` allows one such deal per vehicle. */
export async function hasLivingDeal(tx: Tx, vehicleId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('deals')
    .select('id')
    .where('vehicleId', '=', vehicleId)
    .where('status', '<>', 'cancelled')
    .executeTakeFirst()
  return row !== undefined
}

/** `isStopped`: the auction was closed before its end time. */
export async function lockAuction(tx: Tx, postId: string, sellerId: string) {
  return tx
    .selectFrom('auctions')
    .select(['status', 'bidCount', 'amountCents', 'startCents', 'reserveCents', 'startsAt', 'endsAt', 'endReason'])
    .select(['hardEndsAt', 'buyFeeCents', 'buyFeeBasisPoints'])
    .select(sql<boolean>`ends_at <= clock_timestamp()`.as('isDue'))
    .select(sql<boolean>`closed_at is not null and closed_at < ends_at`.as('isStopped'))
    .where('postId', '=', postId)
    .where('sellerId', '=', sellerId)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

export type LockedAuction = NonNullable<Awaited<ReturnType<typeof lockAuction>>>

/** Sets the final status after the seller's decision, or if the vehicle or the winner is no longer available. */
export async function setFinalStatus(
  tx: Tx,
  postId: string,
  status: 'sold' | 'no_sale',
  before: ('deciding' | 'sold')[] = ['deciding'],
): Promise<boolean> {
  const result = await tx
    .updateTable('auctions')
    .set({ status, seq: sql<number>`seq + 1` })
    .where('postId', '=', postId)
    .where('status', 'in', before)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}
