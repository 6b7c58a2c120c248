import { sql, type Kysely } from 'kysely'

/**
 * An address is one address wherever a mail may go to it: a list of several in its place brought one dealer's links to
 * others. An account with such a one keeps everything and has to be given another address by an admin. And the link that
 * ends an account's API keys after its access was changed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // What makes a mail go elsewhere; what else an address has to be is the schemas' matter.
  const oneAddress = sql.raw(`email::text ~ '^[^[:space:][:cntrl:],;:<>()"@]+@[^[:space:][:cntrl:],;:<>()"@]+$'`)
  await sql`delete from list_subscribers where not (${oneAddress})`.execute(db)
  await sql`delete from email_changes where not (${oneAddress})`.execute(db)
  await sql`
    update dealers set email = 'unusable-' || id || '@lanewire.invalid', email_verified_at = null
    where not (${oneAddress})`.execute(db)
  for (const table of ['dealers', 'email_changes', 'list_subscribers'])
    await sql`alter table ${sql.table(table)} add constraint ${sql.ref(`${table}_one_address`)} check (${oneAddress})`.execute(
      db,
    )
  await sql`alter table auth_tokens drop constraint auth_tokens_kind_check`.execute(db)
  await sql`
    alter table auth_tokens add constraint auth_tokens_kind_check
      check (kind in ('reset', 'verify', 'change', 'keys'))`.execute(db)
}
