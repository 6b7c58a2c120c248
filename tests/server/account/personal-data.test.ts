import { sql } from 'kysely'
import t, { test } from 'tap'
import { buffer } from 'node:stream/consumers'
import { fromBufferPromise } from 'yauzl'
import { personalSubjects } from '#shared/audit.ts'
import type { DataExport, LastDataExport } from '#shared/schemas/account.ts'
import type { NotificationsPage } from '#shared/schemas/notifications.ts'
import type { Chat, MessagesPage } from '#shared/schemas/messaging.ts'
import type { UploadTicket } from '#shared/schemas/uploads.ts'
import { failExport, sweepExports } from '#server/features/account/export.service.ts'
import {
  isExported,
  listColumns,
  ruleGrammar,
  type Column,
} from '#server/features/account/personal-columns.repository.ts'
import { exportAreas } from '#server/features/account/export-tables.ts'
import { applyRetention } from '#server/features/admin/retention.service.ts'
import { sweeps } from '#server/retention.ts'
import { sweepOrphans } from '#server/features/uploads/uploads.jobs.ts'
import { type Caller, startApp } from '#tests/support/app.ts'
import { openChat, say } from '#tests/support/chat.ts'
import { publish } from '#tests/support/factories.ts'
import { until } from '#tests/support/wait.ts'

const app = await startApp(t, { RATE_LIMITS: 'on' })
t.beforeEach(app.startOver)
const { db } = app.server.ctx

const nameOf = ({ table, column }: Pick<Column, 'table' | 'column'>) => `${table}.${column}`

const listMissing = async () =>
  (await listColumns(db))
    .filter(({ rule, exempt }) => !ruleGrammar.test(rule ?? '') && (rule !== null || !exempt))
    .map(
      (column) =>
        `comment on column ${nameOf(column)} is 'personal: delete; export: yes' -- or 'not personal': docs/style.md, Personal data`,
    )

test('requires a deletion and export rule for every column that could hold personal data', async (t) => {
  t.same(await listMissing(), [], 'add these to the migration of the column')
  await sql`alter table watches add column words text, add column size integer, add column kind text check (kind in ('a', 'b'))`.execute(
    db,
  )
  t.match(await listMissing(), [/^comment on column watches.words is /], 'a new column without a comment is reported')
  await sql`comment on column watches.words is 'personal: forget'`.execute(db)
  t.equal((await listMissing()).length, 1, 'a comment that breaks the grammar is reported')
  await sql`alter table watches drop column words, drop column size, drop column kind`.execute(db)
})

/** A word that appears nowhere else in the data, and that normalization for searches and email addresses does not change. */
const mark = 'quagga'
const padded = (bytes: number) => Buffer.from(mark.padEnd(bytes, '.'))
const text = (about: string) => sql.lit(`${mark} ${about}`)

/** Writes the word into every column with personal data, bypassing the product's rules. */
async function plant({ id: ann }: Caller, { id: ben }: Caller, postId: string, chatId: string): Promise<void> {
  const statements = [
    sql`update dealers set email = ${`${mark}@mail.example`}, email_verified_at = now(), password_hash = null, name = ${text('name')},
      avatar = ${text('avatar')}, dealership_name = ${text('house')}, description = ${text('about')}, phone = ${text('phone')},
      website = ${text('site')}, address = ${text('street')}, city = ${text('city')}, state = ${text('state')}, zip = ${text('zip')},
      license_number = ${text('license')}, license_state = ${text('license')}, license_scan = ${text('scan')},
      license_rejected_reason = ${text('why')}, auction_access_number = ${text('access')}, dealership5_mil_number = ${text('5mil')},
      settings = jsonb_build_object('theme', ${text('theme')}), suspended_reason = ${text('why')},
      waiting_since = now(), declined_at = now(), declined_reason = ${text('why')} where id = ${ann}`,
    sql`insert into authenticators (dealer_id, secret, confirmed_at, waiting, waiting_until)
      values (${ann}, ${Buffer.from(mark)}, now(), ${Buffer.from(mark)}, now())`,
    sql`insert into push_devices (dealer_id, session_hash, endpoint, p256dh, auth, label)
      select dealer_id, hash, ${`https://push.example/${mark}`}, ${padded(65)}, ${padded(16)}, ${text('phone')}
      from sessions where dealer_id = ${ann} limit 1`,
    sql`insert into passkeys (dealer_id, credential, public_key, counter, transports, name)
      values (${ann}, ${Buffer.from(mark)}, ${Buffer.from(mark)}, 0, '{}', ${text('laptop')})`,
    sql`insert into recovery_codes (dealer_id, hash) values (${ann}, ${Buffer.from(mark)})`,
    sql`insert into waiting_sign_ins (hash, dealer_id, expires_at) values (${Buffer.from(mark)}, ${ann}, now())`,
    sql`insert into passkey_challenges (challenge, purpose, dealer_id, expires_at)
      values (${Buffer.from(mark)}, 'prove', ${ann}, now())`,
    sql`insert into sessions (hash, dealer_id, expires_at, user_agent, address)
      values (${Buffer.from(mark)}, ${ann}, now(), ${text('browser')}, ${text('address')})`,
    sql`insert into identities (provider, subject, dealer_id) values ('google', ${text('subject')}, ${ann})`,
    sql`insert into auth_tokens (hash, dealer_id, kind, email, expires_at)
      values (${Buffer.from(mark)}, ${ann}, 'reset', ${`${mark}@mail.example`}, now())`,
    sql`insert into email_changes (dealer_id, email, expires_at) values (${ann}, ${`${mark}@new.example`}, now())`,
    sql`insert into api_keys (dealer_id, name, scope, prefix, hash, revoked_at)
      values (${ann}, ${text('key')}, 'read', ${text('prefix')}, ${Buffer.from(mark)}, now())`,
    sql`insert into onboarding (dealer_id, profile) values (${ann}, jsonb_build_object('phone', ${text('phone')}))`,
    sql`insert into billing_customers (dealer_id, stripe_id, card_mark) values (${ann}, ${text('customer')}, ${text('card')})`,
    sql`insert into subscriptions (dealer_id, plan_id, stripe_id, status, price_cents)
      values (${ann}, 'basic', ${text('subscription')}, 'canceled', 1)`,
    sql`insert into refunds (key, dealer_id, invoice_id, invoice_number, amount_cents, reason)
      values (uuidv7(), ${ann}, ${text('invoice')}, ${text('number')}, 1, ${text('why')})`,
    sql`insert into dealer_notes (dealer_id, author_id, text) values (${ann}, ${ben}, ${text('jotting')})`,
    sql`insert into contact_messages (name, email, company, message, dealer_id)
      values (${text('name')}, ${`${mark}@mail.example`}, ${text('company')}, ${text('message')}, ${ann})`,
    sql`insert into contact_messages (name, email, message) values (${text('signed out')}, ${`${mark}@mail.example`}, ${text('message')})`,
    sql`insert into contact_answers (message_id, content) select id, ${text('answer')} from contact_messages`,
    sql`insert into audit_log (actor_id, actor_name, action, subject_kind, subject_id, subject_name, reason, before, after, request_id)
      values (${ann}, ${text('actor')}, 'user.edit', 'user', ${ben}, 'Ben', ${text('why')}, null, null, 'r'),
      (${ben}, 'Ben', 'user.edit', 'user', ${ann}, ${text('subject')}, '', jsonb_build_object('phone', ${text('old')}), jsonb_build_object('phone', ${text('new')}), 'r'),
      (${ben}, 'Ben', 'report.suspend', 'post', ${postId}, ${text('title')}, '', null, jsonb_build_object('author', ${text('author')}), 'r')`,
    sql`insert into audit_log (actor_id, actor_name, action, subject_kind, subject_id, subject_name, request_id)
      select ${ben}, 'Ben', 'contact.answer', 'contact', id::text, ${text('sender')}, 'r' from contact_messages`,
    sql`insert into list_subscribers (list, email, confirm_hash) values ('newsletter', ${`${mark}@mail.example`}, ${Buffer.from(mark)})`,
    sql`insert into outbox (kind, name, payload, failed_at, last_error)
      values ('job', 'mail.accessChanged', jsonb_build_object('to', ${`${mark}@mail.example`}::text), now(), ${text('refused')})`,
    sql`update posts set title = ${text('title')}, description = ${text('description')}, spreadsheet_url = ${text('sheet')},
      ai_summary = ${text('summary')}, search = to_tsvector('simple', ${mark}), search_text = ${text('search')} where id = ${postId}`,
    sql`update vehicles set city = ${text('city')}, state = ${text('state')}, location = ${text('lot')}, notes = ${text('notes')}
      where post_id = ${postId}`,
    sql`insert into photos (post_id, position, url) values (${postId}, 9, ${text('photo')})`,
    sql`insert into sheet_imports (post_id, faults, summary, error, changes, held, held_vehicles)
      values (${postId}, jsonb_build_array(${text('row')}), jsonb_build_array(${text('heading')}), ${text('error')},
        jsonb_build_array(${text('change')}), jsonb_build_array(${text('held')}), jsonb_build_array(${text('vehicle')}))`,
    sql`insert into sheet_columns (dealer_id, headings, columns)
      values (${ann}, rpad(${mark}, 64, '0'), jsonb_build_object('price', ${text('column')}))`,
    sql`insert into objects (id, dealer_id, kind, created_at) values (uuidv7(), ${ann}, 'photo', now() - interval '3 days')`,
    sql`insert into object_sources (object_id, url) select id, ${text('link')} from objects where dealer_id = ${ann}`,
    sql`insert into saved_searches (dealer_id, search, sort, pattern, meant)
      values (${ann}, ${text('search')}, 'recent', ${mark}, to_tsquery('simple', ${mark}))`,
    sql`insert into saved_searches (dealer_id, search, sort, kind, find_query)
      values (${ann}, ${text('looked for')}, 'recent', 'find', jsonb_build_object('near', ${text('place')}))`,
    sql`insert into buy_orders (dealer_id, make, model, near, note, price_cents, per_month, expires_at)
      values (${ann}, 'Ford', 'F-150', ${mark}, ${text('note')}, 1, 1, now() + interval '1 day')`,
    sql`insert into demand_asks (dealer_id, vin) values (${ann}, rpad(${mark}, 17, '0'))`,
    sql`insert into notifications (dealer_id, kind, title, body, path, dedupe_key, in_app, push)
      values (${ann}, 'deal', ${text('notice')}, ${text('body')}, ${`/${mark}`}, ${mark}, true, false)`,
    sql`insert into notifications (dealer_id, actor_id, kind, title, body, path, in_app, push)
      values (${ben}, ${ann}, 'deal', ${text('name')} || ' made an offer', ${text('body')}, '/deals', true, false)`,
    sql`insert into auctions (post_id, seller_id, start_cents, increment_cents, starts_at, ends_at, hard_ends_at, status, end_reason)
      values (${postId}, ${ann}, 1, 1, now(), now() + interval '1 day', now() + interval '1 day', 'no_sale', ${text('why')})`,
    sql`insert into deals (seller_id, buyer_id, status, price_cents, location, notes, review_reason)
      values (${ann}, ${ben}, 'completed', 100, ${text('lot')}, ${text('notes')}, ${text('why')})`,
    sql`insert into deal_documents (deal_id, kind, number, version, pdf, content)
      select id, 'odometer', '1', 1, ${Buffer.from(mark)}, to_jsonb(${text('parties')}::text) from deals`,
    sql`insert into deal_signatures (deal_id, kind, dealer_id, name, address)
      select id, 'odometer', ${ann}, ${text('name')}, ${text('address')} from deals`,
    sql`insert into reviews (deal_id, author_id, subject_id, rating, content, reply)
      select id, ${ann}, ${ben}, 5, ${text('review')}, ${text('reply')} from deals`,
    sql`insert into reports (reporter_id, author_id, subject_kind, subject_id, reason, details)
      values (${ann}, ${ben}, 'dealer', ${ben}, 'spam', ${text('details')})`,
    sql`insert into comments (post_id, dealer_id, content, attachment_url, attachment_name)
      values (${postId}, ${ann}, ${text('comment')}, ${text('file')}, ${text('file')})`,
    sql`update messages set content = ${text('message')}, attachment_url = ${text('file')}, attachment_name = ${text('file')}
      where chat_id = ${chatId}`,
    sql`insert into audit_log (actor_id, actor_name, action, subject_kind, subject_id, subject_name, request_id)
      select ${ben}::uuid, 'Ben', 'report.hide', 'comment', id::text, ${text('author')}, 'r' from comments
      union all select ${ben}, 'Ben', 'report.hide', 'message', id::text, ${text('author')}, 'r' from messages
      union all select ${ben}, 'Ben', 'report.hide', 'dealer', ${ann}, ${text('author')}, 'r'
      union all select ${ben}, 'Ben', 'deal.approve', 'deal', id::text, ${text('seller')} || ' to Ben', 'r' from deals`,
  ]
  for (const statement of statements) await statement.execute(db)
}

async function found(columns: Column[]): Promise<string[]> {
  const hits: string[] = []
  for (const { table, column, type } of columns) {
    const ref = sql.ref(column)
    const value = type === 'bytea' ? sql`encode(${ref}, 'escape')` : sql`${ref}::text`
    const { rows } = await sql`select from ${sql.table(table)} where ${value} like ${`%${mark}%`} limit 1`.execute(db)
    if (rows.length > 0) hits.push(nameOf({ table, column }))
  }
  return hits
}

async function unpack(zip: Buffer): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>()
  const opened = await fromBufferPromise(zip)
  for await (const entry of opened.eachEntry())
    files.set(entry.fileName, await buffer(await opened.openReadStreamPromise(entry)))
  return files
}

const lastOf = async (caller: Caller) => (await caller.get<LastDataExport>('/api/account/export')).body.export

const isGone = (id: string) =>
  until('the file to be deleted', async () => (await app.server.ctx.storage.read(`${id}/data.zip`)) === undefined)

async function fetchCopy(caller: Caller) {
  const asked = await caller.post<DataExport>('/api/account/export')
  await until('the export to be ready', async () => (await lastOf(caller))?.state === 'ready')
  const file = await fetch(`${app.url}/api/account/export/${asked.body.id}`, { headers: { cookie: caller.cookie } })
  return { asked, file, files: await unpack(Buffer.from(await file.arrayBuffer())) }
}

test("exports every exported column of a dealer's own rows and the files, and nothing of others", async (t) => {
  const [ann, ben] = [await app.signIn('Ann Autos'), await app.signIn('Ben Motors')]
  t.same(await lastOf(ann), null)
  const [postId, theirs] = [await publish(ann), await publish(ben, { title: 'Not hers' })]
  const chatId = await openChat(ann, ben)
  await say(ann, chatId, 'still there?')
  await plant(ann, ben, postId, chatId)
  await say(ben, chatId, 'His own words')
  const { uploadURL, objectId } = (await ann.post<UploadTicket>('/api/objects/upload', { kind: 'attachment' })).body
  const pdf = '%PDF-1.4 bill'
  await fetch(uploadURL, { method: 'PUT', headers: { 'content-type': 'application/pdf' }, body: pdf })
  const { asked, file, files } = await fetchCopy(ann)
  t.match(asked, { status: 202, body: { state: 'preparing', sizeBytes: null } })
  t.match(file.headers.get('content-disposition'), /^attachment; filename="lanewire-data-\d{4}-\d\d-\d\d.zip"$/)
  t.match(await lastOf(ann), { state: 'ready', sizeBytes: Number(file.headers.get('content-length')) })
  // Read the table directly, because a declined account cannot read its notifications.
  const notices = db.selectFrom('notifications').select(['kind', 'path']).where('dealerId', '=', ann.id)
  t.match(await notices.where('kind', '=', 'account').execute(), [{ path: '/settings#data' }])

  t.match(String(files.get('README.txt')), /quagga@mail.example/)
  t.equal(String(files.get(`files/uploads/${objectId}.pdf`)), pdf)
  t.ok([...files].some(([name, content]) => name.startsWith('papers/') && String(content) === mark))
  const columns = await listColumns(db)
  const areaOf = new Map(
    Object.entries(exportAreas).flatMap(([area, tables]) => Object.keys(tables).map((table) => [table, area])),
  )
  const wanted = columns.filter((column) => column.rule?.endsWith('export: yes'))
  t.same(wanted.filter(({ table }) => !areaOf.has(table)).map(nameOf), [], 'add these tables to export-tables.ts')
  const rowsIn = (table: string) =>
    JSON.parse(String(files.get(`${areaOf.get(table)}/${table}.json`))) as Record<string, unknown>[]
  for (const table of areaOf.keys()) {
    const own = columns.filter((column) => column.table === table && isExported(column)).map(({ column }) => column)
    for (const row of rowsIn(table)) t.same(Object.keys(row), own, table)
  }
  const shows = ({ table, column, type }: Column) =>
    rowsIn(table).some((row) => JSON.stringify(row[column]).includes(type === 'bytea' ? 'papers/' : mark))
  t.same(wanted.filter((column) => !shows(column)).map(nameOf), [], 'each column has its value')
  const everything = [...files.values()].join('\n')
  t.match(everything, 'quagga signed out', 'also data under the confirmed email, as a deletion removes it')
  for (const other of ['Not hers', 'His own words', 'quagga jotting', 'quagga invoice']) t.notMatch(everything, other)
  t.notMatch(everything, `"post_id":"${theirs}"`)
})

test('limits an export to its owner, one at a time and a few a day, and deletes it after a week', async (t) => {
  const [ann, ben] = [await app.signIn('Ann Autos'), await app.signIn('Ben Motors')]
  t.equal((await app.visitor.get('/api/account/export')).status, 401)
  t.equal((await app.visitor.post('/api/account/export')).status, 401)
  await sql`insert into data_exports (dealer_id) values (${ben.id})`.execute(db)
  t.equal((await ben.post('/api/account/export')).status, 409, 'one is being prepared')
  t.equal((await ben.get(`/api/account/export/${(await lastOf(ben))?.id}`)).status, 404, 'not ready yet')
  const first = (await fetchCopy(ann)).asked.body.id
  for (const caller of [ben, app.visitor]) t.not((await caller.get(`/api/account/export/${first}`)).status, 200)
  t.equal((await ben.get(`/api/account/export/${first}`)).status, 404)
  const second = (await fetchCopy(ann)).asked.body.id
  t.equal((await ann.get(`/api/account/export/${first}`)).status, 404, 'the next export replaces it')
  await sql`update data_exports set expires_at = now() where id = ${second}`.execute(db)
  t.same(await lastOf(ann), null)
  t.equal((await ann.get(`/api/account/export/${second}`)).status, 404, 'expired')
  await sweepExports(app.server.ctx)
  await isGone(second)
  const third = (await fetchCopy(ann)).asked.body.id
  t.equal((await ann.post('/api/account/export')).status, 429)
  const email = (await ann.get<{ email: string }>('/api/auth/me')).body.email
  t.equal((await ann.delete('/api/account', { email })).status, 204)
  await isGone(third)
})

test('reports a failed export once and allows another request', async (t) => {
  const ann = await app.signIn('Ann Autos')
  const { rows } = await sql<{
    id: string
  }>`insert into data_exports (dealer_id) values (${ann.id}) returning id`.execute(db)
  const giveUp = () => app.server.ctx.transact((tx, emit) => failExport(tx, emit, rows[0]?.id ?? ''))
  await giveUp()
  t.match(await lastOf(ann), { state: 'failed', error: /on our side/ })
  await giveUp()
  const told = async (caller: Caller) => (await caller.get<NotificationsPage>('/api/notifications')).body.items
  const words = { kind: 'account', title: 'Your data export failed', path: '/settings#data' }
  const [notice, ...others] = await told(ann)
  t.match(notice, { ...words, body: /on our side.*Request it again/ })
  t.same(others, [], 'one notification')
  t.same(await told(await app.signIn('Ben Motors')), [], 'no notification for others')
  t.equal((await fetchCopy(ann)).asked.status, 202)
})

test('leaves only data of a deleted account that a rule keeps', async (t) => {
  const [ann, ben] = [await app.signIn('Ann Autos'), await app.signIn('Ben Motors')]
  const postId = await publish(ann)
  const chatId = await openChat(ann, ben)
  await say(ann, chatId, 'still there?')
  await plant(ann, ben, postId, chatId)
  const columns = await listColumns(db)
  const personal = columns.filter(({ rule }) => rule?.startsWith('personal:'))
  // These columns cannot contain the word. Auctions without bids have no leader, signals come from a fixed list, and the account has no
  // password, so that it can be deleted without one.
  const unseen = new Set([
    'auction_flags.signals',
    'auctions.leader_id',
    'auctions.leader_max_cents',
    'dealers.password_hash',
  ])
  t.same(
    personal.map(nameOf).filter((name) => !unseen.has(name)),
    await found(personal),
    'plant() fills every personal column; add new columns there',
  )
  const acted = await db.selectFrom('auditLog').select('subjectKind').distinct().orderBy('subjectKind').execute()
  t.same(
    acted.map(({ subjectKind }) => subjectKind),
    personalSubjects,
    'the audit log has an entry for every kind of personal subject',
  )
  t.equal((await ann.delete('/api/account', { email: `${mark}@mail.example` })).status, 204)
  await sweepOrphans(app.server.ctx)
  const kept = new Set(columns.filter(({ rule }) => rule?.startsWith('personal: keep')).map(nameOf))
  t.same(
    (await found(columns)).filter((name) => !kept.has(name)),
    [],
    "still personal: delete it in onLeaving (server/leaving.ts), or say in the column's comment why it is kept",
  )
  await t.rejects(sql`update audit_log set reason = 'other'`.execute(db), /append-only/)
  await t.rejects(
    sql`update audit_log set actor_name = 'Deleted dealer'`.execute(db),
    /append-only/,
    "a present dealer's name",
  )
})

const age = (messageId: string, digit: number) =>
  sql`update messages set created_at = now() - interval '7 months', id = (lpad(to_hex((extract(epoch from now() - interval '7 months') * 1000)::bigint), 12, '0')
    || '7000800000000000000' || ${String(digit)})::uuid where id = ${messageId} returning id`.execute(db)

test('deletes old data once a day and keeps the message counts of chats', async (t) => {
  const [ann, ben, admin] = [
    await app.signIn('Ann Autos'),
    await app.signIn('Ben Motors'),
    await app.signIn('Lanewire', { role: 'admin' }),
  ]
  for (const who of [ann, app.visitor]) t.ok([401, 403].includes((await who.get('/api/admin/retention')).status))
  t.equal((await ann.put('/api/admin/retention', { messageMonths: 1, logMonths: 3 })).status, 403)
  for (const wrong of [{ messageMonths: 0, logMonths: 6 }, { messageMonths: null, logMonths: 2 }, { logMonths: 6 }])
    t.equal((await admin.put('/api/admin/retention', wrong)).status, 400)
  t.match((await admin.get('/api/admin/retention')).body, { messageMonths: null, logMonths: 6 }, 'forever by default')

  const chatId = await openChat(ann, ben)
  const texts = ['first', 'second', 'reported', 'new']
  const ids: string[] = []
  for (const content of texts) ids.push((await say(ann, chatId, content)).body.id)
  for (const [index, id] of ids.slice(0, 3).entries()) await age(id, index)
  await sql`insert into objects (id, dealer_id, kind, state, attached_at, created_at) values (uuidv7(), ${ann.id}, 'attachment', 'ready', now(), now() - interval '7 months')`.execute(
    db,
  )
  await sql`update messages set attachment_url = '/api/objects/' || (select id from objects) where content = 'first'`.execute(
    db,
  )
  await sql`insert into reports (reporter_id, author_id, subject_kind, subject_id, reason)
    select ${ben.id}, ${ann.id}, 'message', id, 'spam' from messages where content = 'reported'`.execute(db)
  for (const [months, handled] of [
    [7, true],
    [7, false],
    [1, true],
  ] as const)
    await sql`insert into contact_messages (name, email, message, created_at, handled_at)
      values ('Una', 'una@mail.example', ${`${months} ${handled}`}, now() - ${months} * interval '1 month', case when ${handled} then now() end)`.execute(
      db,
    )
  await sql`insert into notifications (dealer_id, kind, title, path, in_app, push, created_at)
    values (${ben.id}, 'deal', 'Old', '/', true, false, now() - interval '7 months')`.execute(db)
  await sql`insert into post_views (post_id, dealer_id, day) select ${await publish(ann)}, ${ben.id}, current_date - days from unnest(array[1, 300]) as days`.execute(
    db,
  )
  await sql`insert into sessions (hash, dealer_id, expires_at) values ('old', ${ben.id}, now() - interval '7 months')`.execute(
    db,
  )

  await sql`with lot as (insert into auctions (post_id, seller_id, start_cents, increment_cents, starts_at, ends_at, hard_ends_at)
      select id, dealer_id, 1, 1, now(), now() + interval '1 day', now() + interval '1 day' from posts returning post_id, seller_id)
    insert into auction_flags (post_id, bidder_id, other_id, signals, flagged_at)
    select post_id, ${ben.id}, seller_id, array['license'], now() - interval '7 months' from lot`.execute(db)

  await applyRetention(app.server.ctx, sweeps)
  const shown = async () =>
    (await ben.get<MessagesPage>(`/api/chats/${chatId}/messages`)).body.messages.map(({ content }) => content)
  t.same(await shown(), texts, 'messages are kept forever')
  t.match(
    (await admin.get('/api/admin/retention')).body,
    { removed: 5 },
    'a notification, a view, a session, a handled message, a bidder pair',
  )
  const { rows: contact } = await sql<{ message: string }>`select message from contact_messages order by 1`.execute(db)
  t.same(contact, [{ message: '1 true' }, { message: '7 false' }], 'messages waiting for a reply are kept')

  t.equal((await admin.put('/api/admin/retention', { messageMonths: 6, logMonths: 6 })).status, 200)
  await applyRetention(app.server.ctx, sweeps)
  t.match((await admin.get('/api/admin/retention')).body, { messageMonths: 6, removed: 2 })
  t.same(await shown(), ['reported', 'new'], 'reported messages are kept')
  const caughtUp = await ben.get<MessagesPage>(`/api/chats/${chatId}/messages?afterRev=0`)
  t.match(
    caughtUp.body,
    { rev: 4, lastSeq: 4, more: false },
    'a client that was behind gets the latest number and stops asking',
  )
  const [chat] = (await ben.get<Chat[]>('/api/chats')).body
  t.match(chat, { rev: 4, lastSeq: 4, readSeq: 2 }, 'deleted messages are not unread')
  await sweepOrphans(app.server.ctx)
  t.equal((await sql`select from objects`.execute(db)).rows.length, 0, 'the file was deleted too')
  t.equal((await say(ben, chatId, 'after')).body.seq, 5)
  t.match((await admin.get('/api/admin/audit?action=network')).body, { entries: [{ after: { messageMonths: 6 } }] })
})
