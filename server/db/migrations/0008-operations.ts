import { sql, type Kysely } from 'kysely'

/** Tables of the operator: outbox, audit log, backups, reports of dealers, and data of the public pages. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createOutbox(db)
  await createAuditLog(db)
  await createReports(db)
  await createBackups(db)
  await createSite(db)
}

/**
 * Events and jobs that must not be lost, written in the transaction of the change that causes them.
 * Kind 'event' is published on the bus and deleted. Kind 'job' is the job itself; BullMQ only dispatches its id.
 */
async function createOutbox(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table outbox (
      id uuid primary key default uuidv7(),
      kind text not null check (kind in ('event', 'job')),
      name text not null,
      payload jsonb not null,
      unique_key text,
      run_at timestamptz not null default clock_timestamp(),
      dispatched_at timestamptz,
      failed_at timestamptz,
      last_error text,
      created_at timestamptz not null default clock_timestamp()
    );
    create index outbox_due on outbox (kind, run_at) where failed_at is null;
    create unique index outbox_unique on outbox (name, unique_key) where unique_key is not null;`.execute(db)
}

/**
 * Actions of staff with actor, subject, and values before and after. A trigger keeps the table append-only for every database
 * role, because rows that can be edited prove nothing.
 */
async function createAuditLog(db: Kysely<unknown>): Promise<void> {
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
    );
    create index audit_log_action on audit_log (action, id desc);
    create index audit_log_actor on audit_log (actor_id, id desc);
    create index audit_log_subject on audit_log (subject_id, id desc);

    create function refuse_audit_change() returns trigger language plpgsql as $$
    begin
      raise exception 'audit_log is append-only';
    end $$;
    create trigger audit_log_append_only before update or delete or truncate on audit_log
      for each statement execute function refuse_audit_change();`.execute(db)
}

/** A report is open until an admin decides about its subject. The audit log has the decisions. */
async function createReports(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table reports (
      id uuid primary key default uuidv7(),
      reporter_id uuid not null references dealers on delete cascade,
      subject_kind text not null check (subject_kind in ('post', 'comment', 'message', 'dealer')),
      subject_id uuid not null,
      author_id uuid not null references dealers on delete cascade,
      reason text not null check (reason in ('misleading', 'fraud', 'spam', 'abuse', 'private', 'other')),
      details text not null default '' check (length(details) <= 1000),
      created_at timestamptz not null default now(),
      decided_at timestamptz,
      check (reporter_id <> author_id)
    );
    create unique index reports_open on reports (reporter_id, subject_kind, subject_id) where decided_at is null;
    create index reports_waiting on reports (subject_kind, subject_id) where decided_at is null;
    create index reports_subject on reports (subject_kind, subject_id, id desc);
    create index reports_author on reports (author_id);`.execute(db)
}

/**
 * Backups, and whether restoring them was tested. One runs at a time. A daily backup stores its due time, so that two workers that
 * find it due at once start only one.
 */
async function createBackups(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table backups (
      id uuid primary key default uuidv7(),
      requested_by uuid references dealers on delete set null,
      scheduled_for timestamptz unique,
      state text not null default 'running' check (state in ('running', 'verified', 'failed')),
      started_at timestamptz not null default clock_timestamp(),
      finished_at timestamptz,
      folder text,
      size_bytes bigint,
      row_count bigint,
      error text,
      check ((state = 'running') = (finished_at is null))
    );
    create unique index backups_one_at_a_time on backups ((true)) where state = 'running';`.execute(db)
}

async function createSite(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table contact_messages (
      id uuid primary key default uuidv7(),
      name text not null check (length(name) between 1 and 120),
      email citext not null check (length(email::text) between 3 and 254),
      company text not null default '' check (length(company) <= 160),
      dealership_type text check (dealership_type in ('independent', 'franchise', 'wholesaler', 'auction', 'other')),
      topic text not null default 'general' check (topic in ('general', 'sales', 'api', 'careers', 'privacy')),
      message text not null check (length(message) between 1 and 5000),
      created_at timestamptz not null default now(),
      handled_at timestamptz,
      handled_by uuid references dealers on delete set null
    );
    create index contact_messages_sender on contact_messages (email, created_at desc);
    create index contact_messages_waiting on contact_messages (id desc) where handled_at is null;

    create table list_subscribers (
      id uuid primary key default uuidv7(),
      list text not null check (list in ('newsletter', 'status')),
      email citext not null check (length(email::text) between 3 and 254),
      confirm_hash bytea,
      confirm_until timestamptz,
      confirmed_at timestamptz,
      created_at timestamptz not null default now(),
      unique (list, email),
      constraint list_subscribers_one_address check (email::text ~ '^[^[:space:][:cntrl:],;:<>()"@]+@[^[:space:][:cntrl:],;:<>()"@]+$')
    );
    create unique index list_subscribers_confirm on list_subscribers (confirm_hash) where confirm_hash is not null;

    create table service_states (
      service text primary key check (service in ('platform', 'messaging', 'ai', 'auth', 'database')),
      state text not null check (state in ('operational', 'degraded', 'down')),
      latency_ms integer,
      checked_at timestamptz not null,
      since timestamptz not null
    );
    create table service_days (
      service text not null references service_states,
      day date not null,
      samples integer not null check (samples > 0),
      good integer not null check (good between 0 and samples),
      primary key (service, day)
    );

    -- Promotions to dealers, shown as a banner between two dates.
    create table promotions (
      id uuid primary key default uuidv7(),
      title text not null check (length(title) between 1 and 120),
      message text not null check (length(message) between 1 and 500),
      type text not null check (type in ('info', 'warning', 'success', 'promotion')),
      target_audience text not null check (target_audience in ('all', 'premium', 'basic')),
      is_active boolean not null default true,
      start_date date not null,
      end_date date not null,
      version bigint not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      check (end_date >= start_date)
    );
    create index promotions_active on promotions (end_date) where is_active;`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop table promotions, service_days, service_states, list_subscribers, contact_messages, backups, reports, audit_log, outbox;
    drop function refuse_audit_change;`.execute(db)
}
