import t from 'tap'
import { demoPassword } from '#server/features/auth/demo-accounts.ts'
import { seedAuctions } from '#server/db/seed/auctions.ts'
import { seedDeals } from '#server/db/seed/deals.ts'
import { insertNetwork } from '#server/db/seed/insert-network.ts'
import { makeNetwork } from '#server/db/seed/network.ts'
import { seedChats } from '#server/db/seed/network-chats.ts'
import { seedPlans } from '#server/db/seed/plans.ts'
import { hashPassword } from '#server/features/auth/passwords.ts'
import { openDb, openPool } from '#server/platform/database/db.ts'
import { fuzzEvents, fuzzRequests, fuzzSeed } from '#tests/support/fuzz.ts'
import { startNode } from '#tests/support/node-process.ts'
import { propertyRuns } from '#tests/support/properties.ts'
import { testServices } from '#tests/support/services.ts'

const requests = 10 * propertyRuns
const events = 2 * propertyRuns

async function seedRows(databaseUrl: string): Promise<void> {
  const db = openDb(openPool(databaseUrl, 1, 20_000))
  const now = new Date()
  const network = makeNetwork(now)
  await db.transaction().execute(async (tx) => {
    await insertNetwork(tx, network, await hashPassword(demoPassword))
    for (const seed of [seedPlans, seedAuctions, seedDeals, seedChats]) await seed(tx, network, now)
    await tx.deleteFrom('outbox').execute()
  })
  await db.destroy()
}

t.test('answers no call or socket event with a server error, whatever is sent', async (t) => {
  const services = await testServices(t)
  await seedRows(services.DATABASE_URL)
  const node = await startNode(t, services, { ROLES: 'api,rt,worker', LOG_LEVEL: 'error', TRUST_PROXY: 'on' })
  const target = { url: node.url, databaseUrl: services.DATABASE_URL }
  const seed = fuzzSeed()
  t.comment(`FUZZ_SEED=${seed}`)
  const asked = await fuzzRequests(target, requests, seed)
  t.same(asked.faults, [])
  t.ok(asked.sent >= requests)
  // A short run sends too few requests to reach every status.
  const statuses = propertyRuns >= 100 ? [200, 201, 204, 400, 401, 403, 404, 409] : [200, 400, 401, 404]
  t.same(
    statuses.filter((status) => !asked.statuses.has(status)),
    [],
    'some are answered with each',
  )
  const said = await fuzzEvents(target, events, seed)
  t.same(said.faults, [])
  t.ok(said.sent >= events)
  if (!t.passing()) t.comment(node.readLog())
})
