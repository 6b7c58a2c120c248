import { sql, type Kysely } from 'kysely'

/**
 * `F-150`, `CR-V` and `CX-5` are one word each, as `f150` and `crv`: dealers write both, and the parser would make a
 * phrase of two words of the one and a negative number of its end. Posts and what is searched for are read alike.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function model_words(words text) returns text language sql immutable parallel safe strict return
      regexp_replace(words, '(?<=\\m[[:alpha:]]{1,3})-(?=\\d)|(?<=\\m[[:alpha:]]{1,2})-(?=[[:alpha:]]{1,2}\\M)', '', 'g')`.execute(
    db,
  )
  await sql`alter table saved_searches alter column query
    set expression as (websearch_to_tsquery('english', model_words(search)))`.execute(db)
  await sql`
    update posts set search =
      setweight(to_tsvector('english', model_words(posts.title)), 'A')
        || setweight(to_tsvector('english', model_words(words.cars)), 'B')
        || setweight(to_tsvector('english', words.seller), 'C')
        || setweight(to_tsvector('english', model_words(posts.description)), 'D')
    from (
      select p.id, d.name || ' ' || d.dealership_name || ' ' || d.city || ' ' || d.state as seller,
        coalesce((select string_agg(concat_ws(' ', v.year, v.make, v.model, v.trim, v.vin, v.color, v.city), ' ')
                  from vehicles v where v.post_id = p.id), '') as cars
      from posts p join dealers d on d.id = p.dealer_id
    ) words where posts.id = words.id`.execute(db)
}
