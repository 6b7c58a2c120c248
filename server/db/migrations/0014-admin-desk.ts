import { sql, type Kysely } from 'kysely'

/**
 * What the operator writes: incidents of the status page, issues of the newsletter with whom each has reached, and notes about a
 * dealer. Plans that are given until a day, photos that are fetched from where a link leads, and whose posts the public page may
 * name.
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

    create table photo_imports (
      id uuid primary key default uuidv7(),
      post_id uuid not null references posts on delete cascade,
      vehicle_id uuid references vehicles on delete cascade,
      position integer not null,
      url text not null check (length(url) <= 2000),
      error text,
      created_at timestamptz not null default now()
    );
    create index photo_imports_post on photo_imports (post_id);
    create index photo_imports_vehicle on photo_imports (vehicle_id);

    create table newsletter_issues (
      id uuid primary key default uuidv7(),
      subject text not null check (length(subject) between 1 and 150),
      text text not null check (length(text) between 1 and 20000),
      sent_at timestamptz,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );

    -- Without a reference: who has left the list is forgotten there, and stays counted here.
    create table newsletter_deliveries (
      issue_id uuid not null references newsletter_issues on delete cascade,
      subscriber_id uuid not null,
      sent_at timestamptz,
      primary key (issue_id, subscriber_id)
    );

    alter table subscriptions add column gift_until timestamptz;
    create index subscriptions_gifts on subscriptions (gift_until) where gift_until is not null;

    create table dealer_notes (
      id uuid primary key default uuidv7(),
      dealer_id uuid not null references dealers on delete cascade,
      author_id uuid not null references dealers,
      text text not null check (length(text) between 1 and 2000),
      created_at timestamptz not null default now()
    );
    create index dealer_notes_dealer on dealer_notes (dealer_id, id desc);`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop table dealer_notes, newsletter_deliveries, newsletter_issues, photo_imports, incidents;
    alter table subscriptions drop column gift_until;
    drop index dealers_on_public_page;`.execute(db)
}
