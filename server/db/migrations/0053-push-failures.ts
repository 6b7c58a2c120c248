import { sql, type Kysely } from 'kysely'

/** `last_failed_at`: a device is removed after failures on seven days in a row, not after two that are far apart. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table push_devices add column last_failed_at timestamptz;
    update push_devices set last_failed_at = failed_since where failed_since is not null;`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table push_devices drop column last_failed_at`.execute(db)
}
