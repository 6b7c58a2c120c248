import { sql, type Kysely } from 'kysely'

/**
 * A saved search of Find and one of the feed may have the same words. A search for recent days ignores older vehicles. Offers are
 * indexed by vehicle, to find out whether a vehicle has any.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table saved_searches
      add constraint saved_searches_words unique (dealer_id, kind, search, sort),
      drop constraint saved_searches_dealer_id_search_sort_key;

    -- Maximum days since posting.
    alter table find_watchers add column posted_days integer check (posted_days > 0);
    update find_watchers w set posted_days = (s.find_query ->> 'posted')::integer
      from saved_searches s where s.id = w.search_id and s.find_query ->> 'posted' ~ '^[1-9][0-9]{0,3}$';

    create index offers_vehicle on offers (vehicle_id, buyer_id);`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop index offers_vehicle;
    alter table find_watchers drop column posted_days;
    delete from saved_searches s using saved_searches feed
      where s.kind = 'find' and feed.kind = 'feed'
        and (s.dealer_id, s.search, s.sort) = (feed.dealer_id, feed.search, feed.sort);
    alter table saved_searches
      drop constraint saved_searches_words,
      add constraint saved_searches_dealer_id_search_sort_key unique (dealer_id, search, sort);`.execute(db)
}
