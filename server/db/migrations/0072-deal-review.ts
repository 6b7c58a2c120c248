import { sql, type Kysely } from 'kysely'

/** The network's own review of a deal, apart from what the two parties agree. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table deals
      add column review_status text not null default 'pending' check (review_status in ('pending', 'approved', 'rejected')),
      add column review_reason text not null default '',
      add column reviewed_at timestamptz,
      add column notes text not null default ''`.execute(db)
  await sql`create index deals_review on deals (review_status, id desc)`.execute(db)
}
