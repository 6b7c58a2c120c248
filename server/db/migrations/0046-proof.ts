import { sql, type Kysely } from 'kysely'

/**
 * `proven_at`: when the dealer last proved who they are in this session, by signing in or by a mailed link. Sessions that are open
 * during the upgrade stay null: not proven. `prove`: the kind of that link.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table sessions add column proven_at timestamptz;
    alter table sessions alter column proven_at set default now();`.execute(db)
  await replaceKinds(db, ['reset', 'verify', 'change', 'keys', 'prove'])
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`delete from auth_tokens where kind = 'prove'`.execute(db)
  await replaceKinds(db, ['reset', 'verify', 'change', 'keys'])
  await sql`alter table sessions drop column proven_at`.execute(db)
}

const replaceKinds = (db: Kysely<unknown>, kinds: readonly string[]) =>
  sql`
    alter table auth_tokens drop constraint auth_tokens_kind_check,
      add constraint auth_tokens_kind_check check (kind in (${sql.join(kinds.map((kind) => sql.lit(kind)))}));`.execute(
    db,
  )
