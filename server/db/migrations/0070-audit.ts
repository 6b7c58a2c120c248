import { sql, type Kysely } from 'kysely'

/**
 * Who did what to whom, with before and after. The trigger keeps it append-only whatever the database role may do: a row that
 * could be edited would prove nothing.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table audit_log (
      id uuid primary key default uuidv7(),
      at timestamptz not null default clock_timestamp(),
      actor_id uuid not null,
      actor_name text not null,
      action text not null check (action ~ '^[a-z]+\\.[a-zA-Z]+$'),
      subject_kind text not null,
      subject_id text not null,
      subject_name text not null default '',
      reason text not null default '',
      before jsonb,
      after jsonb,
      request_id text not null
    )`.execute(db)
  await sql`create index audit_log_action on audit_log (action, id desc)`.execute(db)
  await sql`create index audit_log_actor on audit_log (actor_id, id desc)`.execute(db)
  await sql`create index audit_log_subject on audit_log (subject_id, id desc)`.execute(db)
  await sql`
    create function refuse_audit_change() returns trigger language plpgsql as $$
    begin
      raise exception 'audit_log is append-only';
    end $$`.execute(db)
  await sql`
    create trigger audit_log_append_only before update or delete or truncate on audit_log
      for each statement execute function refuse_audit_change()`.execute(db)
  await sql`
    create index dealers_admin_search on dealers
      using gin ((name || ' ' || dealership_name || ' ' || email::text) gin_trgm_ops)`.execute(db)
  await sql`create index dealers_newest on dealers (id desc) where deleted_at is null`.execute(db)
  await sql`
    create index dealers_unverified on dealers (id) where license_number is not null and license_verified_at is null and deleted_at is null`.execute(
    db,
  )
}
