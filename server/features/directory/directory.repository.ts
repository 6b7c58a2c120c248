import { sql, type SelectQueryBuilder } from 'kysely'
import Type from 'typebox'
import { caProvinces, type DealershipType } from '#shared/places.ts'
import type { Dealer } from '#shared/schemas/dealers.ts'
import type { DirectoryView } from '#shared/schemas/directory.ts'
import type { DB } from '#server/db/schema.ts'
import { dealerColumns, toDealer } from '#server/features/dealers/dealers.repository.ts'
import type { Db } from '#server/platform/db.ts'
import { decodeCursor, encodeCursor } from '#server/platform/keyset.ts'
import { containing } from '#server/platform/like.ts'
import { isSuspended } from '#server/platform/suspension.ts'

export interface DirectoryFilter {
  name: string | undefined
  state: string | undefined
  dealershipType: DealershipType | undefined
  buysCanadian: boolean | undefined
}

const NameKey = Type.Object({
  name: Type.String({ maxLength: 200 }),
  id: Type.String({ maxLength: 36, pattern: '^[0-9a-f-]{36}$' }),
})

type Dealers<O> = SelectQueryBuilder<DB, 'dealers', O>

const notSuspended = sql<boolean>`not ${isSuspended('dealers')}`

function filtered<O>(query: Dealers<O>, { name, state, dealershipType, buysCanadian }: DirectoryFilter): Dealers<O> {
  let rows = query.where(notSuspended)
  if (name !== undefined) {
    // The expression of the trigram index, which also holds the city.
    rows = rows.where(
      sql<boolean>`(dealers.name || ' ' || dealers.dealership_name || ' ' || dealers.city) ilike ${containing(name)}`,
    )
  }
  if (state !== undefined) rows = rows.where('dealers.state', '=', state)
  if (dealershipType !== undefined) rows = rows.where('dealers.dealershipType', '=', dealershipType)
  if (buysCanadian !== undefined) rows = rows.where('dealers.buysCanadianVehicles', '=', buysCanadian)
  return rows
}

const inNetworkOf = (dealerId: string) =>
  sql<boolean>`exists (select 1 from connections c where c.dealer_id = ${dealerId} and c.other_id = dealers.id)`

/** Neither has blocked the other. */
export const notBlocked = (dealerId: string) =>
  sql<boolean>`not exists (select 1 from chats join chat_members m on m.chat_id = chats.id
    where chats.low_dealer_id = least(dealers.id, ${dealerId}::uuid)
      and chats.high_dealer_id = greatest(dealers.id, ${dealerId}::uuid) and m.blocked_at is not null)`

/** What the view shows: one's own network stays whole, also of those who are not listed (any more). */
function inView<O>(query: Dealers<O>, dealerId: string, view: DirectoryView): Dealers<O> {
  if (view === 'mine')
    return query
      .where(sql<boolean>`dealers.id in (select other_id from connections where dealer_id = ${dealerId})`)
      .where('dealers.deletedAt', 'is', null)
  const listed = query
    .where(sql<boolean>`dealers.listed`)
    .where('dealers.id', '!=', dealerId)
    .where(notBlocked(dealerId))
  return view === 'all' ? listed : listed.where(sql<boolean>`not ${inNetworkOf(dealerId)}`)
}

/** One keyset page by name, and the cursor of the next, if there is one. */
export async function listDirectory(
  db: Db,
  dealerId: string,
  {
    view,
    limit,
    cursor,
    ...filter
  }: DirectoryFilter & { view: DirectoryView; limit: number; cursor: string | undefined },
): Promise<{ dealers: Dealer[]; next: string | undefined }> {
  let query = inView(filtered(db.selectFrom('dealers'), filter), dealerId, view)
  if (cursor !== undefined) {
    const key = decodeCursor(NameKey, cursor)
    query = query.where(sql<boolean>`(lower(dealers.name), dealers.id) > (${key.name}, ${key.id}::uuid)`)
  }
  const rows = await query
    .select(dealerColumns)
    .select(sql<string>`lower(dealers.name)`.as('sortName'))
    .orderBy(sql`lower(dealers.name)`)
    .orderBy('dealers.id')
    .limit(limit + 1)
    .execute()
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const more = rows.length > limit && last !== undefined
  return { dealers: shown.map(toDealer), next: more ? encodeCursor({ name: last.sortName, id: last.id }) : undefined }
}

/** How many listed dealers match, whoever asks. */
export async function countListed(db: Db, filter: DirectoryFilter): Promise<number> {
  const { count } = await filtered(db.selectFrom('dealers'), filter)
    .where(sql<boolean>`dealers.listed`)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Of one's network and oneself: those matching, and those of them who are listed. */
export async function countNetwork(db: Db, dealerId: string, filter: DirectoryFilter) {
  return filtered(db.selectFrom('dealers'), filter)
    .where(
      sql<boolean>`dealers.id in (select other_id from connections where dealer_id = ${dealerId} union all select ${dealerId}::uuid)`,
    )
    .where('dealers.deletedAt', 'is', null)
    .select([
      sql<number>`count(*) filter (where dealers.id <> ${dealerId})`.as('mine'),
      sql<number>`count(*) filter (where dealers.id <> ${dealerId} and dealers.listed)`.as('mineListed'),
      sql<number>`count(*) filter (where dealers.id = ${dealerId} and dealers.listed)`.as('self'),
    ])
    .executeTakeFirstOrThrow()
}

const inCanada = sql<boolean>`split_part(deals.location, ', ', 2) = any(${sql.lit(`{${caProvinces.join(',')}}`)}::text[])`

/** Who of them has sold or bought a vehicle that stood in Canada. */
export async function listPreviousCanadian(db: Db, dealerIds: string[]) {
  const side = (column: 'sellerId' | 'buyerId') =>
    db
      .selectFrom('deals')
      .select([
        `deals.${column} as dealerId`,
        sql<string>`${column === 'sellerId' ? 'seller' : 'buyer'}::text`.as('side'),
      ])
      .where(`deals.${column}`, 'in', dealerIds)
      .where('deals.status', '=', 'completed')
      .where(inCanada)
      .distinct()
  const rows = await side('sellerId').unionAll(side('buyerId')).execute()
  const sides = new Map<string, 'seller' | 'buyer' | 'both'>()
  for (const { dealerId, side: one } of rows)
    sides.set(dealerId, sides.has(dealerId) ? 'both' : one === 'seller' ? 'seller' : 'buyer')
  return sides
}

/** "My Vehicle Activity" in one round trip. Money is not in it. */
export async function findVehicleActivity(db: Db, dealerId: string) {
  const deals = (condition: ReturnType<typeof sql<boolean>>) =>
    db
      .selectFrom('deals')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where(condition)
  return db
    .selectNoFrom([
      db
        .selectFrom('posts')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('dealerId', '=', dealerId)
        .where('status', '=', 'active')
        .where('deletedAt', 'is', null)
        .where('hiddenAt', 'is', null)
        .as('activeListings'),
      deals(
        sql<boolean>`seller_id = ${dealerId} and status = 'completed' and completed_at >= date_trunc('month', now())`,
      ).as('soldThisMonth'),
      deals(sql<boolean>`seller_id = ${dealerId} and status in ('pending', 'approved')`).as('pending'),
      db
        .selectFrom('watches')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('dealerId', '=', dealerId)
        .as('watching'),
      deals(sql<boolean>`buyer_id = ${dealerId} and status = 'completed'`).as('bought'),
      deals(sql<boolean>`buyer_id = ${dealerId} and status = 'completed' and ${inCanada}`).as('fromCanada'),
      db
        .selectFrom('deals')
        .select(
          sql<number | null>`round((extract(epoch from avg(completed_at - created_at)) / 86400)::numeric, 1)`.as(
            'days',
          ),
        )
        .where((eb) => eb.or([eb('sellerId', '=', dealerId), eb('buyerId', '=', dealerId)]))
        .where('status', '=', 'completed')
        .as('averageDaysToClose'),
    ])
    .executeTakeFirstOrThrow()
}
