import { sql, type Kysely } from 'kysely'

/**
 * Incidents of the status page, newsletter issues and their recipients, files fetched from a link, and the dealer's consent to show
 * posts on the public page.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index dealers_on_public_page on dealers (id) where settings ->> 'showOnPublicPage' = 'true';

    create table incidents (
      id uuid primary key default uuidv7(),
      title text not null check (length(title) between 1 and 120),
      text text not null check (length(text) between 1 and 2000),
      planned boolean not null default false,
      started_at timestamptz not null,
      ended_at timestamptz,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      check (ended_at >= started_at)
    );
    create index incidents_newest on incidents (started_at desc);

    -- The link that a file is fetched from, if it was not uploaded.
    create table object_sources (
      object_id uuid primary key references objects on delete cascade,
      url text not null check (length(url) <= 2000)
    );

    create table newsletter_issues (
      id uuid primary key default uuidv7(),
      subject text not null check (length(subject) between 1 and 150),
      text text not null check (length(text) between 1 and 20000),
      sent_at timestamptz,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );

    -- No foreign key: a deleted subscriber still counts as a recipient.
    create table newsletter_deliveries (
      issue_id uuid not null references newsletter_issues on delete cascade,
      subscriber_id uuid not null,
      sent_at timestamptz,
      primary key (issue_id, subscriber_id)
    );`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop table newsletter_deliveries, newsletter_issues, object_sources, incidents;
    drop index dealers_on_public_page;`.execute(db)
}
