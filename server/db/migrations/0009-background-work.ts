import { sql, type Kysely } from 'kysely'

/** Adds the number of requests for a job, whether its email was written, and the email that contains a notice. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table outbox add column generation integer not null default 0, add column prepared_at timestamptz;
    alter table notifications add column mail_job uuid;`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table notifications drop column mail_job;
    alter table outbox drop column prepared_at, drop column generation;`.execute(db)
}
