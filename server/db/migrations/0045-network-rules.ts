import { sql, type Kysely } from 'kysely'

/**
 * Adds the rule that posting and bidding need a plan, off by default. `verified_only` may be null: no admin has chosen, so the server's
 * configuration decides. A network with dealers keeps its current rule.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table network_settings
      alter column verified_only drop not null,
      alter column verified_only drop default,
      add column plan_required boolean not null default false;
    update network_settings set verified_only = null where not verified_only and not exists (select from dealers);`.execute(
    db,
  )
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    update network_settings set verified_only = false where verified_only is null;
    alter table network_settings
      alter column verified_only set default false,
      alter column verified_only set not null,
      drop column plan_required;`.execute(db)
}
