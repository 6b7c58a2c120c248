import { sql, type Kysely } from 'kysely'

/**
 * Adds why a seller ended an auction, the subject of a message, when a comment was edited, impressions of cards, price changes,
 * and the vocabulary for searches with typing errors.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table auctions add column end_reason text check (length(end_reason) between 1 and 500);

    -- The For Sale sort shows active posts without a running auction. Few have one, so the query skips them one by one.
    create index posts_active on posts (created_at desc, id desc)
      where deleted_at is null and hidden_at is null and status = 'active';

    -- Dealers who had the post's card on screen; each once a day, as in post_views.
    create table post_impressions (
      post_id uuid not null references posts on delete cascade,
      dealer_id uuid not null references dealers on delete cascade,
      day date not null default current_date,
      primary key (post_id, dealer_id, day)
    );
    create index post_impressions_dealer on post_impressions (dealer_id, day);

    -- sold_at is null for vehicles sold before this column existed.
    alter table vehicles add column sold_at timestamptz,
      add column previous_price_cents bigint check (previous_price_cents >= 0),
      add column price_changed_at timestamptz;

    alter table comments add column edited_at timestamptz, add column deleted_at timestamptz;

    alter table messages add column post_id uuid references posts on delete set null;
    create index messages_post on messages (post_id) where post_id is not null;`.execute(db)
  await createSearchWords(db)
}

/** The stemmed words of posts. Also adds the names of states to the search text of posts. */
async function createSearchWords(db: Kysely<unknown>): Promise<void> {
  await sql`
    with states (code, name) as (values
      ('AL', 'Alabama'), ('AK', 'Alaska'), ('AZ', 'Arizona'), ('AR', 'Arkansas'), ('CA', 'California'), ('CO', 'Colorado'),
      ('CT', 'Connecticut'), ('DE', 'Delaware'), ('FL', 'Florida'), ('GA', 'Georgia'), ('HI', 'Hawaii'), ('ID', 'Idaho'),
      ('IL', 'Illinois'), ('IN', 'Indiana'), ('IA', 'Iowa'), ('KS', 'Kansas'), ('KY', 'Kentucky'), ('LA', 'Louisiana'),
      ('ME', 'Maine'), ('MD', 'Maryland'), ('MA', 'Massachusetts'), ('MI', 'Michigan'), ('MN', 'Minnesota'),
      ('MS', 'Mississippi'), ('MO', 'Missouri'), ('MT', 'Montana'), ('NE', 'Nebraska'), ('NV', 'Nevada'),
      ('NH', 'New Hampshire'), ('NJ', 'New Jersey'), ('NM', 'New Mexico'), ('NY', 'New York'), ('NC', 'North Carolina'),
      ('ND', 'North Dakota'), ('OH', 'Ohio'), ('OK', 'Oklahoma'), ('OR', 'Oregon'), ('PA', 'Pennsylvania'),
      ('RI', 'Rhode Island'), ('SC', 'South Carolina'), ('SD', 'South Dakota'), ('TN', 'Tennessee'), ('TX', 'Texas'),
      ('UT', 'Utah'), ('VT', 'Vermont'), ('VA', 'Virginia'), ('WA', 'Washington'), ('WV', 'West Virginia'),
      ('WI', 'Wisconsin'), ('WY', 'Wyoming'), ('ON', 'Ontario'), ('BC', 'British Columbia'), ('AB', 'Alberta'),
      ('SK', 'Saskatchewan'), ('MB', 'Manitoba'), ('QC', 'Quebec'), ('NS', 'Nova Scotia'), ('NB', 'New Brunswick'),
      ('PE', 'Prince Edward Island'), ('NL', 'Newfoundland and Labrador')
    ), places as (
      select posts.id, dealers.state from posts join dealers on dealers.id = posts.dealer_id
      union select post_id, state from vehicles
    ), named as (
      select places.id, string_agg(states.code || ' ' || states.name, ' ') as words
      from places join states on states.code = places.state group by places.id
    )
    update posts set search = posts.search || setweight(to_tsvector('english', named.words), 'C')
    from named where named.id = posts.id;

    create table search_words (word text primary key);
    insert into search_words
    select distinct found.lexeme from posts, unnest(posts.search) as found where found.lexeme ~ '^[a-z]{4,}$';
    create index search_words_near on search_words using gin (word gin_trgm_ops);`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop table search_words, post_impressions;
    drop index posts_active;
    alter table messages drop column post_id;
    alter table comments drop column edited_at, drop column deleted_at;
    alter table vehicles drop column sold_at, drop column previous_price_cents, drop column price_changed_at;
    alter table auctions drop column end_reason;`.execute(db)
}
