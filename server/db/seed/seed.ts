import { sql } from 'kysely'
import { hashPassword } from '#server/features/auth/passwords.ts'
import { refreshPlaces } from '#server/features/dealers/dealers.service.ts'
import { refreshFind } from '#server/features/find/find-rows.service.ts'
import type { Db } from '#server/platform/db.ts'
import { demoPassword } from '#server/features/auth/demo-accounts.ts'
import { seedDesk } from './admin-desk.ts'
import { seedBuyOrders } from './buy-orders.ts'
import { seedAuctions } from './auctions.ts'
import { seedDeals } from './deals.ts'
import { seedIncidents } from './incidents.ts'
import { insertNetwork } from './insert-network.ts'
import { makeNetwork } from './network.ts'
import { seedPlans } from './plans.ts'
import { seedChats } from './network-chats.ts'
import type { Seeder } from './seeder.ts'

export interface SeedInto {
  db: Db
  storageDir: string
  now: Date
}

/** A feature appends its seeder here; they run in this order after the network is written. */
const seeders: readonly Seeder[] = [seedPlans, seedAuctions, seedDeals, seedChats, seedIncidents, seedDesk]

const isEmpty = async (db: Db) =>
  (await db.selectFrom('dealers').select('id').limit(1).executeTakeFirst()) === undefined

/**
 * Fills an empty database with the demo network: about 300 dealers, 500 posts with 2,000 vehicles, their photos, comments, connections and
 * deals. Does nothing when there is any dealer. All rows or none: a start that is interrupted seeds again. Of several processes that
 * start at once one fills it; the others wait until it is full.
 */
export async function seedDemo({ db, storageDir, now }: SeedInto): Promise<void> {
  if (!(await isEmpty(db))) return
  await db.transaction().execute(async (tx) => {
    // On a slow machine drawing outlasts what a request may take; only other processes that seed wait behind this transaction.
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
    await sql`set local statement_timeout = 0`.execute(tx)
    await sql`select pg_advisory_xact_lock(hashtext('demo network'))`.execute(tx)
    if (!(await isEmpty(tx))) return
    const network = makeNetwork(now)
    // Here and not above: what draws pictures is loaded only by the process that seeds.
    const { preparePhotos } = await import('./photos/insert-photos.ts')
    // Drawing takes longest and needs no database: it goes on while the rows are written.
    const drawn = preparePhotos(network, storageDir, now)
    const written = insertNetwork(tx, network, await hashPassword(demoPassword))
    const [photos] = await Promise.all([drawn, written])
    await photos.insert(tx)
    for (const seed of seeders) await seed(tx, network, now)
    // After the last that a row of Find is made of.
    await refreshPlaces(tx)
    await refreshFind(
      tx,
      network.posts.map(({ id }) => id),
    )
    await seedBuyOrders(tx, network, now)
  })
}
