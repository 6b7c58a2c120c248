import { sql, type Kysely } from 'kysely'

/**
 * Marks content that the demo's director publishes, so that it can be limited and removed. Admins can pause the director for the
 * whole network. Without a demo, nothing is marked.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table posts add column directed boolean not null default false;
    create index posts_directed on posts (created_at) where directed;
    alter table network_settings add column demo_paused boolean not null default false;`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table network_settings drop column demo_paused;
    alter table posts drop column directed;`.execute(db)
}
