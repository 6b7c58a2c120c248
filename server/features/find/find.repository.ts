import { sql } from 'kysely'
import type { FindWord } from '#shared/find-query.ts'
import { type FindHome, findWordHits, type FindWords, type FoundVehicle } from '#shared/schemas/find.ts'
import { bodies, drives, fuels, traitOf, wordKey } from '#shared/vehicle-traits.ts'
import { isVerified } from '#server/features/dealers/licenses.rows.ts'
import { planKept, type Db, type Tx } from '#server/platform/database/db.ts'
import { dollarsOf } from '#server/platform/money.ts'
import { milesBetween } from './miles-sql.ts'

interface Reader {
  /** `network` has the sellers in the reader's network. `blocked` has sellers who blocked the reader, or whom the reader blocked. */
  network: number[]
  blocked: number[]
  home: FindHome | null
}

/** Selects the location of a dealer's dealership. Null if the dealer has no known postal code. */
const homeOf = (dealerId: string) => sql`(
  select jsonb_build_object('code', upper(btrim(d.zip)), 'city', p.city, 'region', p.region)
  from dealers d join postal_places p on p.id = d.place_id where d.id = ${dealerId})`

export async function findHome(db: Db, dealerId: string): Promise<FindHome | null> {
  const { rows } = await sql<{ home: FindHome | null }>`select ${homeOf(dealerId)} as home`.execute(db)
  return rows[0]?.home ?? null
}

export async function findReader(db: Db, dealerId: string): Promise<Reader> {
  const { rows } = await sql<Reader>`
    select ${planKept}
      (select coalesce(array_agg(s.seller_no order by s.seller_no), '{}') from connections c join find_sellers s on s.dealer_id = c.other_id
        where c.dealer_id = ${dealerId}) as network,
      (select coalesce(array_agg(distinct s.seller_no), '{}') from chats join chat_members m on m.chat_id = chats.id
        join find_sellers s on s.dealer_id = case when chats.low_dealer_id = ${dealerId} then chats.high_dealer_id else chats.low_dealer_id end
        where m.blocked_at is not null and (chats.low_dealer_id = ${dealerId} or chats.high_dealer_id = ${dealerId})) as blocked,
      ${homeOf(dealerId)} as home`.execute(db)
  return rows[0] ?? { network: [], blocked: [], home: null }
}

export interface PostalPlace {
  lat: number
  lng: number
  city: string
  region: string
}

export async function findPlaceOf(db: Db, code: string): Promise<PostalPlace | undefined> {
  const { rows } = await sql<PostalPlace>`
    select lat, lng, city, region from postal_places where id = place_of(${code})`.execute(db)
  return rows[0]
}

/** Ids of a make, one of its models, and a trim of that model. 0 means not stated. `unknownWord` means that no vehicle has the word. */
export type WordIds = [make: number, model?: number, trim?: number]
export const unknownWord = -1

export async function listWordIds(db: Db, words: readonly FindWord[]): Promise<WordIds[]> {
  if (words.length === 0) return []
  const keys = (part: 'make' | 'model' | 'trim') => words.map((word) => wordKey(word[part] ?? ''))
  const { rows } = await sql<{ make: number | null; model: number | null; trim: number | null }>`
    select make.id as make, model.id as model, trim_word.id as trim
    from unnest(${keys('make')}::text[], ${keys('model')}::text[], ${keys('trim')}::text[]) with ordinality
      as asked(make, model, trim, place)
    left join find_words make on make.kind = 'make' and make.parent_id = 0 and make.key = asked.make
    left join find_words model on model.kind = 'model' and model.parent_id = make.id and model.key = asked.model
    left join find_words trim_word on trim_word.kind = 'trim' and trim_word.parent_id = model.id and trim_word.key = asked.trim
    order by asked.place`.execute(db)
  const idOf = (text: string, id: number | null | undefined) => (wordKey(text) === '' ? 0 : (id ?? unknownWord))
  return words.map((word, index) => {
    const ids: WordIds = [idOf(word.make, rows[index]?.make)]
    if (word.model !== undefined) ids.push(idOf(word.model, rows[index]?.model))
    if (word.trim !== undefined) ids.push(idOf(word.trim, rows[index]?.trim))
    return ids
  })
}

export async function listLabels(db: Db, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('findWords')
    .select(['id', 'label'])
    .where(sql<boolean>`id = any(${ids}::int[])`)
    .execute()
  return new Map(rows.map(({ id, label }) => [id, label]))
}

/** Returns vehicles by row number, without those that are no longer for sale. Miles are from the dealer's location. */
export async function listFound(
  db: Db,
  { dealerId, network }: { dealerId: string; network: readonly number[] },
  rowNos: readonly number[],
  now: Date,
): Promise<Map<number, FoundVehicle>> {
  if (rowNos.length === 0) return new Map()
  const rows = await db
    .selectFrom('findVehicles as f')
    .modifyFront(planKept)
    .innerJoin('findSellers as s', 's.dealerId', 'f.sellerId')
    .innerJoin('vehicles as v', 'v.id', 'f.vehicleId')
    .innerJoin('posts as p', 'p.id', 'f.postId')
    .innerJoin('dealers as d', 'd.id', 'f.sellerId')
    .leftJoin('auctions as a', (join) =>
      join.onRef('a.postId', '=', 'f.postId').on('a.status', '=', 'open').on('f.startsAt', 'is not', null),
    )
    .leftJoin('dealers as reader', (join) => join.on('reader.id', '=', dealerId))
    .leftJoin('postalPlaces as here', 'here.id', 'reader.placeId')
    .leftJoin('postalPlaces as there', 'there.id', 'f.placeId')
    .leftJoinLateral(
      sql<{
        url: string
        number: number
      }>`(select h.url, count(*) over () as number from photos h where h.post_id = p.id
        and (h.vehicle_id = v.id or h.vehicle_id is null and p.vehicle_count = 1) order by h.position limit 1)`.as(
        'photos',
      ),
      (join) => join.onTrue(),
    )
    .select(['f.rowNo', 'f.vehicleId', 'f.postId', 'f.body', 'f.drive', 'f.fuel', 'f.postedAt', 's.sellerNo'])
    .select(['v.year', 'v.make', 'v.model', 'v.trim', 'v.vin', 'v.mileage', 'v.priceCents', 'v.city', 'v.state'])
    .select(['p.title', 'p.version', 'd.id as dealerId', 'd.name', 'd.dealershipName', 'd.rating'])
    .select(['d.licenseVerifiedAt', 'd.licenseExpiresOn', 'd.city as dealerCity', 'd.state as dealerState'])
    .select(['a.seq', 'a.startsAt', 'a.endsAt', 'a.bidCount', 'a.startCents', 'a.amountCents'])
    .select(milesBetween('here', 'there').as('miles'))
    .select(['photos.url as photoUrl', sql<number>`coalesce(photos.number, 0)::int`.as('photoCount')])
    .where(sql<boolean>`f.row_no = any(${rowNos}::int[])`)
    .where('f.gone', '=', false)
    .execute()
  const toVehicle = (row: (typeof rows)[number]): FoundVehicle => {
    const auction = auctionOf(row, now)
    const cents = auction === null ? row.priceCents : (row.amountCents ?? row.startCents)
    return {
      vehicleId: row.vehicleId,
      postId: row.postId,
      postVersion: row.version,
      title: [row.year, row.make, row.model, row.trim].filter(Boolean).join(' ') || row.title,
      year: row.year,
      make: row.make,
      model: row.model,
      trim: row.trim,
      vin: row.vin,
      mileage: row.mileage,
      price: cents === null ? null : dollarsOf(cents),
      miles: row.miles === null ? null : Math.round(row.miles),
      place: placeOf(row),
      body: traitOf(bodies, row.body),
      drive: traitOf(drives, row.drive),
      fuel: traitOf(fuels, row.fuel),
      sale: saleOf(auction, now),
      auction,
      photoUrl: row.photoUrl,
      photoCount: row.photoCount,
      seller: {
        id: row.dealerId,
        name: row.name,
        dealershipName: row.dealershipName,
        rating: row.rating,
        verified: isVerified(row),
      },
      connected: network.includes(row.sellerNo),
      postedAt: row.postedAt.toISOString(),
      yours: row.dealerId === dealerId,
    }
  }
  return new Map(rows.map((row) => [row.rowNo, toVehicle(row)]))
}

interface AuctionColumns {
  seq: number | null
  startsAt: Date | null
  endsAt: Date | null
  bidCount: number | null
}

function auctionOf(row: AuctionColumns, now: Date): FoundVehicle['auction'] {
  const { seq, startsAt, endsAt, bidCount } = row
  if (startsAt === null || endsAt === null || endsAt <= now) return null
  return {
    seq: seq ?? 0,
    startsAt: startsAt.toISOString(),
    endsAt: endsAt.toISOString(),
    bidCount: bidCount ?? 0,
  }
}

function saleOf(auction: FoundVehicle['auction'], now: Date): FoundVehicle['sale'] {
  if (auction === null) return 'fixed'
  return Date.parse(auction.startsAt) > now.getTime() ? 'coming' : 'live'
}

function placeOf(row: { city: string | null; state: string | null; dealerCity: string; dealerState: string }) {
  const [city, region] =
    row.city === null ? [row.dealerCity, row.state ?? row.dealerState] : [row.city, row.state ?? '']
  return city === '' && region === '' ? null : { city, region }
}

export async function findWordsBy(db: Db, texts: readonly string[]): Promise<Omit<FindWords, 'home'>> {
  const keys = texts.map(wordKey)
  const vehicles = await sql<FindWords['vehicles'][number]>`
    select asked.words, coalesce(make2.label, make.label, w.label) as make,
      case w.kind when 'make' then null when 'model' then w.label else make.label end as model,
      case w.kind when 'trim' then w.label end as trim
    from unnest(${texts}::text[], ${keys}::text[]) as asked(words, key)
    join find_words w on w.key = asked.key
    left join find_words make on make.id = w.parent_id
    left join find_words make2 on make2.id = make.parent_id
    cross join lateral (
      select count(*) as number from (select 1 from find_vehicles f where not f.gone and case w.kind
        when 'make' then f.make_id = w.id
        when 'model' then f.make_id = w.parent_id and f.model_id = w.id
        else f.make_id = make.parent_id and f.model_id = make.id and f.trim_id = w.id end limit 1000) counted
    ) used
    where asked.key <> ''
    order by length(asked.key) desc, used.number desc, w.kind, w.id limit ${findWordHits}`.execute(db)
  const places = await sql<FindWords['places'][number]>`
    select asked.words, found.code, found.city, found.region from (select distinct unnest(${texts}::text[])) as asked(words)
    cross join lateral (
      select min(p.code) as code, min(p.city) as city, p.region, count(*) as number from postal_places p
      where lower(p.city) = asked.words group by p.region
      union all
      select upper(asked.words), p.city, p.region, 0 from postal_places p
      where asked.words ~ '^([0-9]{5}|[a-z][0-9][a-z]([0-9][a-z][0-9])?)$' and p.id = place_of(asked.words)
    ) found
    order by length(asked.words) desc, found.number desc limit ${findWordHits}`.execute(db)
  return { vehicles: vehicles.rows, places: places.rows }
}

export async function refreshPosts(tx: Tx, postIds: readonly string[], traits: string): Promise<number> {
  const { rows } = await sql<{
    changed: number
  }>`select refresh_find(${postIds}::uuid[], ${traits}::jsonb) as changed`.execute(tx)
  return rows[0]?.changed ?? 0
}

export async function refreshSellerRows(tx: Tx, dealerIds?: readonly string[]): Promise<number> {
  const { numAffectedRows } = await sql`
    update find_sellers s set rating = now.rating, hidden_until = now.hidden_until, changed_xid = pg_current_xact_id()
    from (select d.id, d.rating::real as rating, case when d.deleted_at is not null then 'infinity'
      when d.suspended_at is not null then coalesce(d.suspended_until, 'infinity') end as hidden_until
      from dealers d where ${dealerIds === undefined ? sql`true` : sql`d.id = any(${dealerIds}::uuid[])`}) now
    where s.dealer_id = now.id and (s.rating, s.hidden_until) is distinct from (now.rating, now.hidden_until)`.execute(
    tx,
  )
  return Number(numAffectedRows ?? 0)
}

export async function listPostsOf(tx: Tx, dealerId: string): Promise<string[]> {
  const { rows } = await sql<{ postId: string }>`
    select distinct post_id from find_vehicles where seller_id = ${dealerId} and not gone`.execute(tx)
  return rows.map(({ postId }) => postId)
}

/** `withoutBids` skips open auctions with bids, whose Find rows may be stale. */
export async function listPostsAfter(
  db: Db,
  after: string | undefined,
  limit: number,
  withoutBids = false,
): Promise<string[]> {
  let query = db.selectFrom('posts').select('id').orderBy('id').limit(limit)
  if (withoutBids)
    query = query.where(
      sql<boolean>`not exists (select from auctions a where a.post_id = posts.id and a.status = 'open' and a.bid_count > 0)`,
    )
  if (after !== undefined) query = query.where('id', '>', after)
  return (await query.execute()).map(({ id }) => id)
}

/** Returns the last post that was verified. Undefined means to start with the first post. */
export async function findReached(db: Db): Promise<string | undefined> {
  const row = await db.selectFrom('findWalk').select('reachedPostId').executeTakeFirst()
  return row?.reachedPostId ?? undefined
}

export async function updateReached(tx: Tx, postId: string | undefined): Promise<void> {
  const reachedPostId = postId ?? null
  await tx
    .insertInto('findWalk')
    .values({ reachedPostId })
    .onConflict((conflict) => conflict.column('onlyRow').doUpdateSet({ reachedPostId }))
    .execute()
}

/** Removes rows that were deleted at least `days` ago. By then, every process has seen the deletion. */
export async function removeTombstones(tx: Tx, days: number, limit: number): Promise<number> {
  const { rows } = await sql<{ number: number }>`
    with old as (
      select vehicle_id from find_vehicles where gone and changed_at < now() - make_interval(days => ${days}) limit ${limit}
    ), removed as (delete from find_vehicles f using old where f.vehicle_id = old.vehicle_id and f.gone returning 1)
    select count(*)::int as number from removed`.execute(tx)
  return rows[0]?.number ?? 0
}

export async function findPlacesHash(db: Db): Promise<string | null> {
  const { rows } = await sql<{ hash: string | null }>`
    select obj_description('postal_places'::regclass, 'pg_class') as hash`.execute(db)
  return rows[0]?.hash ?? null
}

export async function replacePlaces(db: Db, lines: string, hash: string): Promise<void> {
  await sql`
    insert into postal_places (code, lat, lng, city, region, country)
    select p[1], p[2]::real, p[3]::real, p[4], p[5], p[6]
    from (select string_to_array(line, E'\t') as p from string_to_table(${lines}, E'\n') as line where line <> '') listed
    on conflict (code) do update set lat = excluded.lat, lng = excluded.lng, city = excluded.city, region = excluded.region,
      country = excluded.country`.execute(db)
  await sql`comment on table postal_places is ${sql.lit(hash)}`.execute(db)
}

export async function isEmpty(db: Db): Promise<boolean> {
  const { rows } = await sql`
    select where not exists (select from find_vehicles) and exists (select from vehicles)`.execute(db)
  return rows.length > 0
}
