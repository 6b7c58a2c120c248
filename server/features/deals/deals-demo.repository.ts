import { sql, type Insertable } from 'kysely'
import type { Deals, DealSignatures, DealSteps, Offers } from '#server/db/schema.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'

/** Lists the deals that simulated dealers have to advance. Excludes approved deals with a human buyer, who has to act next. */
export async function listResting(db: Db, dealerIds: readonly string[], restMs: number, limit: number) {
  const { rows } = await sql<{ id: string; sellerId: string; buyerId: string }>`
    select d.id, d.seller_id, d.buyer_id
    from deals d join posts p on p.id = d.post_id left join auctions a on a.post_id = p.id and a.demo
    where d.status in ('pending', 'approved') and (p.directed or a.post_id is not null)
      and d.seller_id = any(${dealerIds}::uuid[]) and (d.status = 'pending' or d.buyer_id = any(${dealerIds}::uuid[]))
      and d.updated_at < clock_timestamp() - ${restMs} * interval '1 millisecond'
    order by d.created_at, d.vin limit ${limit}`.execute(db)
  return rows
}

export async function findAuctionOffer(db: Db, postId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('offers')
    .select('id')
    .where('postId', '=', postId)
    .where('source', '=', 'auction')
    .where('status', '=', 'open')
    .executeTakeFirst()
  return row?.id
}

export interface PastTrade {
  deals: Insertable<Deals>[]
  offers: Insertable<Offers>[]
  steps: Insertable<DealSteps>[]
  signatures: Insertable<DealSignatures>[]
}

export async function insertPastTrade(tx: Tx, { deals, offers, steps, signatures }: PastTrade): Promise<void> {
  await tx.insertInto('deals').values(deals).execute()
  await tx.insertInto('offers').values(offers).execute()
  await tx.insertInto('dealSteps').values(steps).execute()
  await tx.insertInto('dealSignatures').values(signatures).execute()
}
