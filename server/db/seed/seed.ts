import { sql } from 'kysely'
import { hashPassword } from '#server/features/auth/passwords.ts'
import { refreshPlaces } from '#server/features/dealers/dealers.service.ts'
import { refreshFind } from '#server/features/find/refresh-find.service.ts'
import type { Db } from '#server/platform/database/db.ts'
import { demoPassword } from '#server/features/auth/demo-accounts.ts'
import { seedAdminPages } from './admin-pages.ts'
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

/** Run in this order after the network is written. Features add their seeders here. */
const seeders: readonly Seeder[] = [seedPlans, seedAuctions, seedDeals, seedChats, seedIncidents, seedAdminPages]

const isEmpty = async (db: Db) =>
  (await db.selectFrom('dealers').select('id').limit(1).executeTakeFirst()) === undefined

/**
 * Fills an empty database with the demo network: about 300 dealers, 500 posts with 2,000 vehicles, photos, comments,
 * connections and deals. Runs in one transaction; concurrent processes wait for it.
 */
export async function seedDemo({ db, storageDir, now }: SeedInto): Promise<void> {
  if (!(await isEmpty(db))) return
  await db.transaction().execute(async (tx) => {
    // Drawing can exceed the timeouts on a slow machine. Only other seeding processes wait.
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
    await sql`set local statement_timeout = 0`.execute(tx)
    await sql`select pg_advisory_xact_lock(hashtext('demo network'))`.execute(tx)
    if (!(await isEmpty(tx))) return
    const network = makeNetwork(now)
    // Loaded here, so that only the seeding process loads the drawing code.
    const { preparePhotos } = await import('./photos/insert-photos.ts')
    // Drawing takes longest and needs no database, so it runs in parallel.
    const drawn = preparePhotos(network, storageDir, now)
    const written = insertNetwork(tx, network, await hashPassword(demoPassword))
    const [photos] = await Promise.all([drawn, written])
    await photos.insert(tx)
    for (const seed of seeders) await seed(tx, network, now)
    // After all data that Find indexes.
    await refreshPlaces(tx)
    await refreshFind(
      tx,
      network.posts.map(({ id }) => id),
    )
    await seedBuyOrders(tx, network, now)
  })
}
