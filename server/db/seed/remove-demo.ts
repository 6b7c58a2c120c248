import { randomUUID } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql, type RawBuilder } from 'kysely'
import { nounOf, plural } from '#shared/format.ts'
import { exitWith, loadConfig } from '#server/config/config.ts'
import { migrateToLatest } from '#server/db/migrate.ts'
import { StartFault } from '#server/errors.ts'
import { eraseDealer } from '#server/features/account/account.service.ts'
import { insertAudit } from '#server/features/audit/audit.repository.ts'
import { refreshRating } from '#server/features/dealers/dealers.service.ts'
import { listNodes } from '#server/features/ops/ops-heartbeat.ts'
import { removeFiles } from '#server/features/uploads/uploads.service.ts'
import { isJobOn, queueOf } from '#server/jobs.ts'
import { onLeaving } from '#server/leaving.ts'
import { createContext, type Context } from '#server/platform/process/context.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { createLogger } from '#server/platform/process/log.ts'
import type { Emit } from '#server/platform/database/transact.ts'

type Removed = Record<string, number>

interface Kept {
  /** Demo accounts that remain, as deleted dealers. */
  deletedDealers: number
  /** Real accounts that paid for a plan with test cards. */
  unpaid: number
  auditEntries: number
}

interface Outcome {
  removed: Removed
  kept: Kept
  objectIds: string[]
}

const count = async (tx: Tx, statement: RawBuilder<unknown>): Promise<number> =>
  Number((await statement.execute(tx)).numAffectedRows ?? 0)

const theirs = sql`(select id from demo_accounts)`

/** `demo_parties` holds demo accounts with deals with real accounts, or bids in their auctions. These records need anonymized accounts. */
async function listDemoAccounts(tx: Tx): Promise<{ accounts: number; parties: string[] }> {
  await sql`create temporary table demo_accounts on commit drop as select id, email from dealers where demo`.execute(tx)
  await sql`alter table demo_accounts add primary key (id)`.execute(tx)
  await sql`analyze demo_accounts`.execute(tx)
  await sql`
    create temporary table demo_parties on commit drop as
    select seller_id as id from deals where seller_id in ${theirs} and buyer_id not in ${theirs}
    union select buyer_id from deals where buyer_id in ${theirs} and seller_id not in ${theirs}
    union select bidder_id from auction_bidders join auctions using (post_id)
      where bidder_id in ${theirs} and seller_id not in ${theirs}`.execute(tx)
  const { rows: parties } = await sql<{ id: string }>`select id from demo_parties order by id`.execute(tx)
  const { rows } = await sql<{ accounts: number }>`select count(*) as accounts from demo_accounts`.execute(tx)
  return { accounts: Number(rows[0]?.accounts ?? 0), parties: parties.map(({ id }) => id) }
}

/** Removes comments, and corrects the counters of real dealers' posts. */
async function removeReplies(tx: Tx): Promise<Removed> {
  await sql`
    update posts set version = version + 1,
      comment_count = greatest(0, comment_count - (select count(*) from comments
        where post_id = posts.id and dealer_id in ${theirs} and hidden_at is null and deleted_at is null)),
      like_count = greatest(0, like_count - (select count(*) from reactions
        where post_id = posts.id and dealer_id in ${theirs} and kind = 'like')),
      info_count = greatest(0, info_count - (select count(*) from reactions
        where post_id = posts.id and dealer_id in ${theirs} and kind = 'info')),
      view_count = greatest(0, view_count - (select count(*) from post_views
        where post_id = posts.id and dealer_id in ${theirs}))
    where dealer_id not in ${theirs}`.execute(tx)
  return { comments: await count(tx, sql`delete from comments where dealer_id in ${theirs}`) }
}

/** Removes reviews, deals between demo accounts, and offers, except offers that led to a deal with a real account. */
async function removeTrade(tx: Tx): Promise<Removed> {
  const { rows: reviews } = await sql<{ subjectId: string; real: boolean }>`
    delete from reviews where author_id in ${theirs} or subject_id in ${theirs}
    returning subject_id, subject_id not in ${theirs} as real`.execute(tx)
  const offers = await count(
    tx,
    sql`delete from offers where (seller_id in ${theirs} or buyer_id in ${theirs}) and (deal_id is null or deal_id in
      (select id from deals where seller_id in ${theirs} and buyer_id in ${theirs}))`,
  )
  const deals = await count(tx, sql`delete from deals where seller_id in ${theirs} and buyer_id in ${theirs}`)
  await sql`
    update deal_steps set actor_id = null
    where actor_id in ${theirs} and actor_id not in (select id from demo_parties)`.execute(tx)
  for (const id of new Set(reviews.flatMap(({ subjectId, real }) => (real ? subjectId : []))))
    await refreshRating(tx, id)
  return { reviews: reviews.length, offers, deals }
}

async function removePosts(tx: Tx): Promise<{ removed: Removed; objectIds: string[] }> {
  await sql`delete from find_vehicles where seller_id in ${theirs}`.execute(tx)
  await sql`delete from find_sellers where dealer_id in ${theirs}`.execute(tx)
  const { rows } = await sql<{
    auctions: number
  }>`select count(*) as auctions from auctions where seller_id in ${theirs}`.execute(tx)
  const posts = await count(tx, sql`delete from posts where dealer_id in ${theirs}`)
  await sql`
    delete from search_words
    where not exists (select from posts where posts.search @@ search_words.word::tsquery)`.execute(tx)
  const { rows: objects } = await sql<{
    id: string
  }>`delete from objects where dealer_id in ${theirs} returning id`.execute(tx)
  const removed = { posts, auctions: Number(rows[0]?.auctions ?? 0), files: objects.length }
  return { removed, objectIds: objects.map(({ id }) => id) }
}

/** Removes everything that demo staff published, according to the audit log, and the messages and email subscriptions of demo accounts. */
async function removeDesk(tx: Tx): Promise<Removed> {
  const made = (kind: string) =>
    sql`(select subject_id::uuid from audit_log
      where subject_kind = ${kind} and action = ${`${kind}.create`} and actor_id in ${theirs})`
  const mailboxes = sql`(select email from demo_accounts)`
  return {
    promotions: await count(tx, sql`delete from promotions where id in ${made('promotion')}`),
    incidents: await count(tx, sql`delete from incidents where id in ${made('incident')}`),
    newsletters: await count(tx, sql`delete from newsletter_issues where id in ${made('newsletter')}`),
    'contact messages': await count(
      tx,
      sql`delete from contact_messages where dealer_id in ${theirs} or email in ${mailboxes}`,
    ),
    subscribers: await count(tx, sql`delete from list_subscribers where email in ${mailboxes}`),
  }
}

/** Removes real accounts' plans and customers at the payment stand-in. Returns the number of these customers. */
async function removeTestPayments(tx: Tx, standinCustomers: readonly string[]): Promise<number> {
  const payers = sql`(select dealer_id from billing_customers
    where stripe_id = any(${standinCustomers}::text[]) and dealer_id not in ${theirs})`
  await sql`delete from refunds where dealer_id in ${payers}`.execute(tx)
  await sql`delete from subscriptions where stripe_id is not null and dealer_id in ${payers}`.execute(tx)
  return count(tx, sql`delete from billing_customers where dealer_id in ${payers}`)
}

/** Removes all rows that reference demo accounts with `on delete cascade`, even for accounts that are only anonymized. */
async function removeOwned(tx: Tx): Promise<Removed> {
  const { rows: columns } = await sql<{ name: string; column: string }>`
    select conrelid::regclass::text as name, attname as column from pg_constraint
    join pg_attribute on attrelid = conrelid and attnum = conkey[1]
    where contype = 'f' and confrelid = 'dealers'::regclass and confdeltype = 'c' order by 1, 2`.execute(tx)
  const removed: Removed = {}
  for (const { name, column } of columns) {
    const rows = await count(tx, sql`delete from ${sql.table(name)} where ${sql.ref(column)} in ${theirs}`)
    removed[name] = (removed[name] ?? 0) + rows
  }
  const { connections = 0, subscriptions = 0, reports = 0, notifications = 0 } = removed
  return { connections, subscriptions, reports, notifications }
}

async function eraseParties(tx: Tx, emit: Emit, parties: readonly string[]): Promise<void> {
  for (const id of parties) await eraseDealer(tx, emit, onLeaving, id)
  await sql`update dealers set demo = false where id in (select id from demo_parties)`.execute(tx)
}

async function removeReferences(tx: Tx): Promise<void> {
  await sql`
    update dealers set connection_count = connection_count - lost.number
    from (select dealer_id, count(*) as number from connections where other_id in ${theirs} group by dealer_id) as lost
    where dealers.id = lost.dealer_id and not dealers.demo`.execute(tx)
  await sql`delete from notifications where actor_id in ${theirs}`.execute(tx)
}

/** Adds an audit entry. It names no account, because the command runs on the server. */
const record = (tx: Tx, removed: Removed): Promise<void> =>
  insertAudit(tx, {
    actorId: '00000000-0000-0000-0000-000000000000',
    actorName: 'npm run demo:remove',
    action: 'demo.remove',
    subjectKind: 'demo',
    subjectId: 'demo',
    after: JSON.stringify(removed),
    requestId: randomUUID(),
  })

/** Removes the demo. Returns undefined if there is none. Audit entries stay, because the log is append-only. */
async function removeDemo(ctx: Context, standinCustomers: readonly string[]): Promise<Outcome | undefined> {
  return ctx.transact(async (tx, emit) => {
    // Disable the timeouts. Lanewire is stopped, so no other transaction waits for this one.
    await sql`set local statement_timeout = 0`.execute(tx)
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
    await sql`select pg_advisory_xact_lock(hashtext('demo network'))`.execute(tx)
    const { accounts, parties } = await listDemoAccounts(tx)
    if (accounts === 0) return undefined
    const unpaid = await removeTestPayments(tx, standinCustomers)
    const chats = await count(
      tx,
      sql`delete from chats where low_dealer_id in ${theirs} or high_dealer_id in ${theirs}`,
    )
    const trade = await removeTrade(tx)
    const replies = await removeReplies(tx)
    const { removed: posts, objectIds } = await removePosts(tx)
    const desk = await removeDesk(tx)
    await eraseParties(tx, emit, parties)
    await removeReferences(tx)
    const owned = await removeOwned(tx)
    await sql`delete from dealers where demo`.execute(tx)
    await removeFiles(emit, objectIds)
    const { rows } = await sql<{ entries: number }>`
      select count(*) as entries from audit_log where actor_id in ${theirs}`.execute(tx)
    const removed = { accounts, ...posts, ...replies, chats, ...trade, ...owned, ...desk }
    await record(tx, removed)
    const kept = { deletedDealers: parties.length, unpaid, auditEntries: Number(rows[0]?.entries ?? 0) }
    return { removed, kept, objectIds }
  })
}

async function readStandinCustomers(folder: string): Promise<string[]> {
  try {
    const saved = JSON.parse(await readFile(join(folder, 'stripe.json'), 'utf8')) as { tables: { customer: object } }
    return Object.keys(saved.tables.customer)
  } catch {
    return []
  }
}

function reportOf({ removed, kept }: Outcome, adminsLeft: number): string {
  const gone = Object.entries(removed).filter(([, number]) => number > 0)
  const lines = [`The demo was removed: ${gone.map(([what, number]) => `${number} ${what}`).join(', ')}.`]
  if (kept.deletedDealers > 0)
    lines.push(
      `Real accounts have deals with or bids from ${plural(kept.deletedDealers, 'demo account')}, now shown as "Deleted dealer".`,
    )
  if (kept.unpaid > 0)
    lines.push(
      `${plural(kept.unpaid, 'real account')} had paid with test cards and ${nounOf(kept.unpaid, 'has', 'have')} no plan until someone pays for one.`,
    )
  if (kept.auditEntries > 0)
    lines.push(
      `${plural(kept.auditEntries, 'audit log entry', 'audit log entries')} ${nounOf(kept.auditEntries, 'names', 'name')} demo accounts and ${nounOf(kept.auditEntries, 'stays', 'stay')}, because the log is append-only. The removal is its newest entry.`,
    )
  if (adminsLeft === 0) lines.push('No admin account is left.')
  return lines.join('\n')
}

/** @throws {StartFault} if a process of Lanewire is still running */
async function refuseWhileRunning(ctx: Context): Promise<void> {
  const running = (await listNodes(ctx)).filter(({ silent }) => !silent)
  if (running.length > 0)
    throw new StartFault(
      `${plural(running.length, 'process', 'processes')} of Lanewire ${nounOf(running.length, 'is', 'are')} running on this database. ${nounOf(running.length, 'Stop it', 'Stop them')} first. A killed process counts as running for a few more seconds.`,
    )
}

async function main(): Promise<void> {
  const config = loadConfig()
  await migrateToLatest(config.databaseUrl)
  const ctx = await createContext(config, createLogger(config), { queueOf, isJobOn, onLeaving })
  try {
    await refuseWhileRunning(ctx)
    const standin = join(config.dataDir, 'stripe')
    const outcome = await removeDemo(ctx, await readStandinCustomers(standin))
    // If this loop is interrupted, jobs that the transaction queued remove the remaining files.
    for (const objectId of outcome?.objectIds ?? []) await ctx.storage.removeObject(objectId)
    if (outcome === undefined) {
      process.stdout.write('There are no demo accounts in this database. Nothing was removed.\n')
      return
    }
    await rm(standin, { recursive: true, force: true })
    const { rows } = await sql<{ admins: number }>`
      select count(*) as admins from dealers where role = 'admin' and deleted_at is null`.execute(ctx.db)
    process.stdout.write(`${reportOf(outcome, Number(rows[0]?.admins ?? 0))}\n`)
  } finally {
    await ctx.close()
  }
}

main().catch(exitWith)
