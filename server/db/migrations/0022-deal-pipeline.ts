import { sql, type Kysely } from 'kysely'

/** Indexes for a dealer's deals and offers by stage, on either side: each stage is sorted by its last change and counted by index alone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index deals_of_seller on deals (seller_id, status, updated_at desc, id desc);
    create index deals_of_buyer on deals (buyer_id, status, updated_at desc, id desc);
    create index offers_of_seller on offers (seller_id, status, updated_at desc, id desc);
    create index offers_of_buyer on offers (buyer_id, status, updated_at desc, id desc);`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop index deals_of_seller, deals_of_buyer, offers_of_seller, offers_of_buyer;`.execute(db)
}
