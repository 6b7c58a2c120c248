import { sql, type Kysely } from 'kysely'

/** Enterprise promised what the product does not do; it says the same now as the public price list. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    update plans set features = array['Everything in Premium', 'API access', 'Named support']
    where id = 'enterprise' and 'Rooftop groups and shared inventory' = any(features)`.execute(db)
}
