import { sql } from 'kysely'
import { parseFind, type FindQuery } from '#shared/find-query.ts'
import type { Random } from '#server/db/seed/random.ts'
import { makeVehicle } from '#server/db/seed/vehicles.ts'
import { refreshFind, refreshFindSellers } from '#server/features/find/refresh-find.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import type { ModelRow } from './find-model.ts'

export async function fillFind(ctx: Context, random: Random, sellerIds: readonly string[]): Promise<void> {
  const at = Date.now()
  const zips = ['75201', '75220', '10001', '98104', 'T2P 2M5', null]
  const maybe = <T>(value: T) => (random.chance(0.06) ? null : value)
  await ctx.transact(async (tx) => {
    for (const [place, id] of sellerIds.entries())
      await sql`update dealers set zip = ${zips[place] ?? null}, place_id = place_of(${zips[place] ?? null}), rating = ${place === 4 ? null : 3.5 + place * 0.4}
        where id = ${id}`.execute(tx)
    const posts = Array.from({ length: 160 }, () => ({
      id: crypto.randomUUID(),
      dealerId: random.pick(sellerIds),
      type: 'multiple' as const,
      title: 'Several',
      vehicleCount: 5,
      availableCount: 5,
      createdAt: new Date(at - random.int(1, 40 * 24 * 3_600) * 1_000),
    }))
    await tx.insertInto('posts').values(posts).execute()
    for (const { id: postId } of posts) {
      const vehicles = Array.from({ length: 5 }, (_, position) => {
        const { year, make, model, trim, mileage, priceCents, vin } = makeVehicle(random, 2025)
        const named = maybe(make)
        return {
          postId,
          position,
          vin,
          year: maybe(year),
          make: named,
          model: named && maybe(model),
          trim: maybe(trim),
          mileage: maybe(mileage),
          priceCents: maybe(priceCents),
        }
      })
      const inserted = await tx.insertInto('vehicles').values(vehicles).returning('id').execute()
      const [first] = inserted
      if (random.chance(0.5))
        await tx
          .insertInto('photos')
          .values({ postId, vehicleId: first?.id ?? null, position: 0, url: '/x' })
          .execute()
    }
    for (const { id: postId, dealerId: sellerId } of posts.slice(0, 24)) {
      const startsAt = new Date(at + random.pick([-50, -5, 40, 90]) * 60_000)
      const endsAt = new Date(at + random.int(100, 500) * 60_000)
      const terms = { startCents: 500_000, incrementCents: 50_000, startsAt, endsAt, hardEndsAt: endsAt }
      await tx
        .insertInto('auctions')
        .values({ postId, sellerId, ...terms })
        .execute()
    }
    await refreshFind(
      tx,
      posts.map(({ id }) => id),
    )
    await refreshFindSellers(tx, sellerIds)
  })
}

export function randomFind(random: Random, rows: readonly ModelRow[]): FindQuery {
  const sometimes = (text: () => string, share = 0.25) => (random.chance(share) ? text() : undefined)
  const some = (list: readonly string[]) => random.sample(list, random.int(1, 2)).join(',')
  const word = () => {
    const { make, model, trim } = random.pick(rows)
    const parts = [make, model, trim].slice(0, random.int(1, 3)).map((part) => part || '-')
    return random.chance(0.05) ? 'Unheard~Of' : parts.join('~')
  }
  const bounds = (low: number, high: number) =>
    random.pick([
      `${random.int(low, high)}-`,
      `-${random.int(low, high)}`,
      `${random.int(low, high)}-${random.int(low, high)}`,
    ])
  const range = (low: number, high: number) =>
    random.pick([bounds(low, high), bounds(low, high), `${bounds(low, high)},none`, 'none'])
  const params = {
    mmt: sometimes(() => [word(), word()].join(','), 0.4),
    year: sometimes(() => range(2014, 2025)),
    price: sometimes(() => range(5_000, 60_000)),
    miles: sometimes(() => range(1_000, 150_000)),
    near: sometimes(() => random.pick(['75201', '10001', '98104', '46201']), 0.5),
    within: sometimes(() => String(random.int(20, 1_500)), 0.5),
    body: sometimes(() => some(['pickup', 'suv', 'sedan', 'none'])),
    drive: sometimes(() => some(['4wd', 'awd', 'fwd', 'none'])),
    fuel: sometimes(() => some(['gas', 'diesel', 'electric', 'none'])),
    sale: sometimes(() => some(['fixed', 'live', 'coming'])),
    seller: sometimes(() => 'connected', 0.15),
    rating: sometimes(() => '4.3', 0.15),
    posted: sometimes(() => random.pick(['1', '7', '30']), 0.15),
    photos: sometimes(() => '1', 0.15),
    sort: random.pick(['newest', 'cheapest', 'dearest', 'mileage', 'year', 'nearest', 'ending']),
  }
  return parseFind(
    new URLSearchParams(
      Object.entries(params).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
    ).toString(),
  )
}
