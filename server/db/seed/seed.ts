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
import { insertNetwork } from './insert-network.ts'
import { makeNetwork } from './network.ts'
import { seedPlans } from './plans.ts'
import { seedChats } from './network-chats.ts'
import type { Seeder } from './seeder.ts'

const dayMs = 24 * 3_600_000
const minuteMs = 60_000

const incidents = [
  {
    title: 'Delayed AI summaries',
    text: 'Summaries of new posts appeared with a delay while a background worker was being replaced. Posting itself was not affected, and all summaries were written afterward.',
    planned: false,
    daysAgo: 46,
    minutes: 42,
  },
  {
    title: 'Planned database maintenance',
    text: 'The database was upgraded overnight. Pages stayed readable, but changes could not be saved for part of the maintenance window.',
    planned: true,
    daysAgo: 64,
    minutes: 18,
  },
] as const

const seedIncidents: Seeder = async (tx, _network, now) => {
  const rows = incidents.map(({ daysAgo, minutes, ...incident }) => {
    const startedAt = new Date(now.getTime() - daysAgo * dayMs)
    const endedAt = new Date(startedAt.getTime() + minutes * minuteMs)
    return { ...incident, startedAt, endedAt, createdAt: startedAt, updatedAt: endedAt }
  })
  await tx.insertInto('incidents').values(rows).execute()
}

export interface SeedInto {
  db: Db
  storageDir: string
  now: Date
}

/** Seeders that run after the network is inserted, in this order. */
const seeders: readonly Seeder[] = [seedPlans, seedAuctions, seedDeals, seedChats, seedIncidents, seedAdminPages]

const isEmpty = async (db: Db) =>
  (await db.selectFrom('dealers').select('id').limit(1).executeTakeFirst()) === undefined

/** Fills an empty database with the demo network, in one transaction. Other processes that seed wait for it. */
export async function seedDemo({ db, storageDir, now }: SeedInto): Promise<void> {
  if (!(await isEmpty(db))) return
  await db.transaction().execute(async (tx) => {
    // Disable the timeouts, because drawing can exceed them on a slow machine. Only other seeding processes wait for this transaction.
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
    await sql`set local statement_timeout = 0`.execute(tx)
    await sql`select pg_advisory_xact_lock(hashtext('demo network'))`.execute(tx)
    if (!(await isEmpty(tx))) return
    const network = makeNetwork(now)
    // Import this module here, so that only a process that seeds loads the drawing code.
    const { preparePhotos } = await import('./photos/insert-photos.ts')
    // Drawing takes the longest and does not need the database, so draw while the network is inserted.
    const drawn = preparePhotos(network, storageDir, now)
    const written = insertNetwork(tx, network, await hashPassword(demoPassword))
    const [photos] = await Promise.all([drawn, written])
    await photos.insert(tx)
    for (const seed of seeders) await seed(tx, network, now)
    await refreshPlaces(tx)
    await refreshFind(
      tx,
      network.posts.map(({ id }) => id),
    )
    await seedBuyOrders(tx, network, now)
  })
}
