import { sql, type Kysely } from 'kysely'

/** For the syntax see "Personal data" in docs/style.md. */
const deleted = 'personal: delete; export: yes'
const anonymised = 'personal: anonymise; export: yes'
const none = 'not personal'
const secret = 'personal: delete; export: no (a secret, or what proves one)'
const derived = 'personal: delete; export: no (made of other columns)'
const books = 'personal: keep (the other side of the deal has it in its books); export: yes'
const shared = 'personal: keep (the other side of the chat holds it too, from a deleted dealer); export: yes'
const discussion = 'personal: keep (part of a discussion among others, by a deleted dealer); export: yes'
const invoiced = 'personal: keep (invoices are kept by law); export: yes'
const provider = 'personal: keep (invoices are kept by law); export: no (a number at the payment provider)'
const staff = 'personal: delete; export: no (what the staff of the network noted)'
const names = 'personal: anonymise; export: no (the log of what the staff of the network did)'
const written = 'personal: delete; export: no (work under way, of what is exported elsewhere)'
const bidder = 'personal: keep (the history of an auction, by a deleted dealer); export: no (hidden from its seller)'

const rules: Record<string, Record<string, string>> = {
  add_ons: { id: none, name: none, description: none },
  api_keys: { name: deleted, prefix: deleted, hash: secret },
  auctions: {
    end_reason: 'personal: keep (bidders were told it); export: yes',
    leader_id: bidder,
    leader_max_cents: bidder,
  },
  audit_log: {
    action: none,
    actor_name: names,
    subject_kind: none,
    subject_id: none,
    subject_name: names,
    reason:
      'personal: keep (why the staff of the network acted has to stay provable); export: no (the log of what the staff of the network did)',
    before: names,
    after: names,
    request_id: none,
  },
  auth_tokens: { hash: secret, email: 'personal: delete; export: no (an address of the account)' },
  authenticators: { secret, waiting: secret },
  backups: { folder: none, error: none },
  billing_customers: { stripe_id: provider },
  comments: { content: discussion, attachment_url: discussion, attachment_name: discussion },
  contact_answers: { content: deleted },
  contact_messages: { name: deleted, email: deleted, company: deleted, message: deleted },
  deal_documents: { number: none, pdf: books },
  deal_signatures: { name: books, address: books },
  deal_steps: { kind: none },
  data_exports: { error: none },
  dealer_notes: { text: staff },
  dealers: {
    email: anonymised,
    password_hash: secret,
    name: anonymised,
    avatar: deleted,
    dealership_name: deleted,
    profile_type: none,
    description: deleted,
    phone: deleted,
    website: deleted,
    address: deleted,
    city: deleted,
    state: deleted,
    zip: deleted,
    license_number: deleted,
    license_state: deleted,
    license_scan: deleted,
    license_rejected_reason: deleted,
    auction_access_number: deleted,
    dealership5_mil_number: deleted,
    settings: deleted,
    suspended_reason: deleted,
    declined_reason: deleted,
  },
  deals: {
    vin: none,
    make: none,
    model: none,
    trim: none,
    color: none,
    location: books,
    notes: books,
    review_reason: books,
  },
  email_changes: { email: deleted },
  first_admin: { salt: none },
  identities: { subject: deleted },
  incidents: { title: none, text: none },
  list_subscribers: { email: deleted, confirm_hash: secret },
  messages: {
    content: shared,
    attachment_url: shared,
    attachment_name: shared,
    search: 'personal: keep (as the content that it is made of); export: no (made of other columns)',
  },
  network_settings: { joining: none },
  newsletter_issues: { subject: none, text: none },
  notifications: { kind: none, title: deleted, body: deleted, path: deleted, dedupe_key: derived },
  object_sources: { url: deleted },
  objects: { content_type: none, error: none },
  onboarding: { profile: deleted },
  outbox: { name: none, payload: written, unique_key: none, last_error: written },
  passkey_challenges: { challenge: secret, purpose: none },
  passkeys: { credential: secret, public_key: secret, transports: none, name: deleted },
  photos: { url: deleted },
  plans: { id: none, name: none, features: none },
  posts: {
    title: anonymised,
    description: deleted,
    auction_facilitator: none,
    spreadsheet_url: deleted,
    ai_summary: deleted,
    search: derived,
    search_text: derived,
  },
  promotions: { title: none, message: none },
  recovery_codes: { hash: secret },
  refunds: {
    invoice_id: provider,
    invoice_number: invoiced,
    reason: 'personal: keep (refunds are part of the invoices); export: no (what the staff of the network noted)',
    refusal: none,
  },
  reports: {
    details: 'personal: keep (a case about others rests on it, by a deleted dealer); export: yes',
  },
  reviews: { content: books, reply: books },
  saved_searches: { search: deleted, query: derived, pattern: derived },
  search_words: { word: none },
  sessions: { hash: secret, user_agent: deleted, address: deleted },
  sheet_imports: { faults: deleted, error: deleted },
  stripe_events: { id: none, type: none },
  subscriptions: { stripe_id: provider },
  vehicles: {
    vin: none,
    make: none,
    model: none,
    trim: none,
    color: none,
    city: deleted,
    state: deleted,
    location: deleted,
    notes: deleted,
  },
  waiting_sign_ins: { hash: secret },
}

/**
 * Comments every column with how deletion and export of an account treat it. Audit rows may lose their subject once the subject is
 * deleted, and can change in no other way.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const comments = Object.entries(rules).flatMap(([table, columns]) =>
    Object.entries(columns).map(
      ([column, rule]) => sql`comment on column ${sql.ref(`${table}.${column}`)} is ${sql.lit(rule)}`,
    ),
  )
  await createExports(db)
  await sql.join(comments, sql`;\n`).execute(db)
  await sql`
    create function is_subject_gone(kind text, subject_id text) returns boolean language plpgsql stable as $$
    begin
      if subject_id !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then return false; end if;
      return case kind
        when 'user' then exists (select from dealers d where d.id = subject_id::uuid and d.deleted_at is not null)
        when 'dealer' then exists (select from dealers d where d.id = subject_id::uuid and d.deleted_at is not null)
        when 'post' then exists (
          select from posts p join dealers d on d.id = p.dealer_id where p.id = subject_id::uuid and d.deleted_at is not null)
        when 'comment' then exists (
          select from comments c join dealers d on d.id = c.dealer_id where c.id = subject_id::uuid and d.deleted_at is not null)
        when 'message' then exists (
          select from messages m join dealers d on d.id = m.sender_id where m.id = subject_id::uuid and d.deleted_at is not null)
        when 'contact' then not exists (select from contact_messages m where m.id = subject_id::uuid)
        else false
      end;
    end $$;

    create function refuse_audit_edit() returns trigger language plpgsql as $$
    begin
      if (new.id, new.at, new.actor_id, new.action, new.subject_kind, new.subject_id, new.reason, new.request_id)
          is not distinct from
          (old.id, old.at, old.actor_id, old.action, old.subject_kind, old.subject_id, old.reason, old.request_id)
        and (new.actor_name = old.actor_name or new.actor_name = 'Deleted dealer'
          and exists (select from dealers where id = old.actor_id and deleted_at is not null))
        and ((new.subject_name, new.before, new.after) is not distinct from (old.subject_name, old.before, old.after)
          or new.subject_name = 'Deleted dealer'
          and (new.before is null or old.before @> new.before) and (new.after is null or old.after @> new.after)
          and is_subject_gone(old.subject_kind, old.subject_id))
      then return new;
      end if;
      raise exception 'audit_log is append-only';
    end $$;
    drop trigger audit_log_append_only on audit_log;
    create trigger audit_log_append_only before delete or truncate on audit_log
      for each statement execute function refuse_audit_change();
    create trigger audit_log_forgets_only before update on audit_log
      for each row execute function refuse_audit_edit();`.execute(db)
}

/** Data exports, one per dealer: a new one replaces the last. The file is stored under the row's id. */
async function createExports(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table data_exports (
      id uuid primary key default uuidv7(),
      dealer_id uuid not null unique references dealers on delete cascade,
      state text not null default 'preparing' check (state in ('preparing', 'ready', 'failed')),
      size_bytes bigint,
      error text,
      requested_at timestamptz not null default clock_timestamp(),
      finished_at timestamptz,
      expires_at timestamptz,
      check ((state = 'preparing') = (finished_at is null)),
      check ((state = 'ready') = (size_bytes is not null and expires_at is not null))
    );
    create index data_exports_over on data_exports (expires_at) where expires_at is not null;

    -- Retention settings: one row. Null months of messages: kept forever.
    create table retention (
      only_row boolean primary key default true check (only_row),
      message_months integer check (message_months between 1 and 120),
      log_months integer not null default 6 check (log_months between 3 and 120),
      ran_at timestamptz,
      removed integer not null default 0
    );
    insert into retention default values`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  const comments = Object.entries(rules).flatMap(([table, columns]) =>
    Object.keys(columns).map((column) => sql`comment on column ${sql.ref(`${table}.${column}`)} is null`),
  )
  await sql.join(comments, sql`;\n`).execute(db)
  await sql`
    drop trigger audit_log_forgets_only on audit_log;
    drop trigger audit_log_append_only on audit_log;
    create trigger audit_log_append_only before update or delete or truncate on audit_log
      for each statement execute function refuse_audit_change();
    drop function refuse_audit_edit, is_subject_gone;
    drop table data_exports, retention;`.execute(db)
}
