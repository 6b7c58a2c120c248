import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import pg from 'pg'
import t, { test } from 'tap'
import type { ErrorBody } from '#shared/errors.ts'
import type { DataExport, LastDataExport } from '#shared/schemas/account.ts'
import type { OwnProfile } from '#shared/schemas/dealers.ts'
import { eraseDealer } from '#server/features/account/account.service.ts'
import { onLeaving } from '#server/leaving.ts'
import { makeExport, sweepExports } from '#server/features/account/export.service.ts'
import { type Caller, startApp } from '#tests/support/app.ts'
import { aBidder, bid, publishAuction } from '#tests/support/bidding.ts'
import { aPost, publish } from '#tests/support/factories.ts'
import { untilBlocked } from '#tests/support/locks.ts'
import { mailTo } from '#tests/support/mail.ts'
import { until } from '#tests/support/wait.ts'
import { aBuyOrder, buyer } from '#tests/support/wanted.ts'

const app = await startApp(t)

const emailOf = async (caller: Caller) => (await caller.get<{ email: string }>('/api/auth/me')).body.email

test('activates a new email once, when its mailed link is opened', async (t) => {
  const ann = await app.signIn('Ann Autos')
  const before = await emailOf(ann)
  t.equal((await ann.post('/api/profile/email', { email: 'ann@new.example' })).status, 204)
  t.equal(await emailOf(ann), before)
  t.equal((await ann.get<OwnProfile>('/api/profile')).body.pendingEmail, 'ann@new.example')
  const token = /change=(\S+)/.exec((await mailTo(app, 'ann@new.example')).text)?.[1]
  const confirmed = await ann.post('/api/profile/email/confirm', { token })
  t.equal(confirmed.status, 200)
  const still = app.on(app, { ...ann, cookie: confirmed.headers.get('set-cookie')?.split(';')[0] ?? '' })
  t.equal(await emailOf(still), 'ann@new.example')
  t.equal((await still.get<OwnProfile>('/api/profile')).body.pendingEmail, null)
  t.equal((await app.visitor.post('/api/profile/email/confirm', { token })).status, 400)
})

test("refuses an email that is taken, invalid or already the dealer's own", async (t) => {
  const ann = await app.signIn('Ann Autos')
  const ben = await app.signIn('Ben Motors')
  t.equal((await ann.post('/api/profile/email', { email: await emailOf(ben) })).status, 409)
  t.equal((await ann.post('/api/profile/email', { email: 'nobody' })).status, 400)
  t.equal((await ann.post('/api/profile/email', { email: await emailOf(ann) })).status, 400)
})

test('anonymizes a deleted account, keeps its deals, and updates the connections of others', async (t) => {
  const ann = await app.signIn('Ann Autos', { name: 'Ann Able' })
  const ben = await app.signIn('Ben Motors', { name: 'Ben Baker' })
  const post = await publish(ann)
  await ann.post(`/api/dealers/${ben.id}/connect`)
  await ben.post(`/api/dealers/${ann.id}/connect`)
  await app.server.ctx.db
    .insertInto('deals')
    .values({ sellerId: ann.id, buyerId: ben.id, status: 'completed', priceCents: 100 })
    .execute()
  t.equal((await ann.delete('/api/account', { email: 'not@mine.example' })).status, 400)
  const tab = await ann.live()
  t.equal((await ann.delete('/api/account', { email: await emailOf(ann) })).status, 204)
  await tab.nextEvent('kick')
  t.equal((await ann.get('/api/auth/me')).status, 401)
  t.equal((await ben.get(`/api/inventory/${post}`)).status, 404)
  t.equal((await ben.get(`/api/dealers/${ann.id}`)).status, 404)
  t.match((await ben.get(`/api/deals/${ben.id}`)).body, [{ seller: { name: 'Deleted dealer' } }])
  t.match((await ben.get('/api/auth/me')).body, { connectionCount: 0 })
})

test('keeps an account that leads an auction, or sells in one that is undecided', async (t) => {
  const [ann, ben] = [await aBidder(app, 'Ann Autos'), await aBidder(app, 'Ben Motors')]
  const seller = await app.signIn('Seller Motors')
  const post = await publishAuction(seller, { reserveAmount: 20_000 })
  t.equal((await bid(ann, post, 10_000)).status, 201)
  const leave = async (who = ann) => who.delete<ErrorBody>('/api/account', { email: await emailOf(who) })
  const held = await leave(seller)
  t.equal(held.status, 409)
  t.match(held.body.error.message, /Your auction “Live auction: 2021 Ford F-150 XLT” has a binding bid/)
  const refused = await leave()
  t.equal(refused.status, 409)
  t.match(refused.body.error.message, /You have the leading bid on “Live auction: 2021 Ford F-150 XLT”/)
  t.equal((await ann.get('/api/auth/me')).status, 200)
  t.equal((await bid(ben, post, 10_500)).status, 201)
  t.equal((await leave()).status, 204)
  t.equal((await seller.post(`/api/inventory/${post}/auction/end`, { reason: 'Sold on the lot' })).status, 200)
  t.equal((await leave(seller)).status, 204)
})

test('leaves no data export behind if its worker was killed while the account was deleted', async (t) => {
  const { storage, config } = app.server.ctx
  const id = randomUUID()
  const draft = join(config.dataDir, 'exports', `${id}.zip`)
  await mkdir(dirname(draft), { recursive: true })
  await writeFile(draft, 'half of everything')
  // An earlier attempt stored the export file before the account was deleted. The next attempt must delete the file.
  await storage.put(`${id}/data.zip`, Buffer.from('everything'), 'application/zip')
  const run = { id, attempt: 2, stopping: new AbortController().signal, complete: async () => undefined }
  await makeExport(app.server.ctx, id, run)
  t.equal(await storage.read(`${id}/data.zip`), undefined)
  t.notOk(existsSync(draft))
  const ann = await app.signIn('Ann Autos')
  const asked = (await ann.post<DataExport>('/api/account/export')).body.id
  const last = async () => (await ann.get<LastDataExport>('/api/account/export')).body.export
  await until('the export to be ready', async () => (await last())?.state === 'ready')
  await makeExport(app.server.ctx, asked, run)
  t.ok(await storage.read(`${asked}/data.zip`), 'a finished export remains, even if its job runs again')
})

test('discards requests that are in progress when the account is deleted', async (t) => {
  const { db, transact } = app.server.ctx
  const watcher = new pg.Client({ connectionString: app.services['DATABASE_URL'] })
  await watcher.connect()
  t.teardown(() => watcher.end())
  const watched = await publish(await app.signIn('Ben Motors'))
  const doings = {
    posts: (ann: Caller) => ann.post('/api/inventory', aPost()),
    buyOrders: (ann: Caller) => ann.post('/api/buy-orders', aBuyOrder()),
    savedSearches: (ann: Caller) => ann.post('/api/saved-searches', { search: 'Tacoma' }),
    watches: (ann: Caller) => ann.put(`/api/inventory/${watched}/watch`, {}),
    dataExports: (ann: Caller) => ann.post('/api/account/export'),
  }
  for (const [table, doing] of Object.entries(doings)) {
    const ann = await buyer(app, 'Ann Autos')
    const underWay = await transact(async (tx, emit) => {
      await eraseDealer(tx, emit, onLeaving, ann.id)
      // The request was authenticated before this transaction deleted the caller's sessions.
      const answer = doing(ann)
      await untilBlocked(watcher, '%')
      return { answer }
    })
    t.equal((await underWay.answer).status, 401, table)
    const left = db.selectFrom(table as keyof typeof doings).select('dealerId')
    t.same(await left.where('dealerId', '=', ann.id).execute(), [], table)
  }
})

test('refuses a deletion that was under way when the password changed', async (t) => {
  const { db } = app.server.ctx
  const watcher = new pg.Client({ connectionString: app.services['DATABASE_URL'] })
  await watcher.connect()
  t.teardown(() => watcher.end())
  const ann = await app.signIn('Ann Autos')
  const email = await emailOf(ann)
  const underWay = await db.transaction().execute(async (tx) => {
    await tx.updateTable('dealers').set({ passwordHash: 'another' }).where('id', '=', ann.id).execute()
    const answer = ann.delete('/api/account', { email })
    await untilBlocked(watcher, '%"dealers"%')
    return { answer }
  })
  t.equal((await underWay.answer).status, 401)
  t.equal(await emailOf(ann), email)
})

test("saves, validates and applies a dealer's settings and their defaults", async (t) => {
  const ann = await app.signIn('Ann Autos')
  const ben = await app.signIn('Ben Motors')
  t.match((await ann.get('/api/settings')).body, { contactSharing: false, autoRefresh: true, itemsPerPage: null })
  const tab = await ann.live()
  const { body } = await ann.patch('/api/settings', { itemsPerPage: 50, theme: 'dark' })
  t.match(body, { itemsPerPage: 50, theme: 'dark', contactSharing: false })
  await tab.nextEvent('inbox.changed', ({ what }) => what === 'profile')
  t.match((await ann.get('/api/auth/me')).body, { settings: { itemsPerPage: 50, theme: 'dark' } })
  t.match((await ben.get('/api/settings')).body, { itemsPerPage: null, theme: 'system' })
  await ann.patch('/api/settings', { itemsPerPage: null })
  t.match((await ann.get('/api/settings')).body, { itemsPerPage: null, theme: 'dark' }, 'back to the default')
  for (const wrong of [
    {},
    { itemsPerPage: 7 },
    { theme: 'pink' },
    { profileVisibility: 'no' },
    { quietHours: { on: true, from: '25:00', to: '07:00', timeZone: 'UTC' } },
    { quietHours: { on: true, from: '22:00', to: '07:00', timeZone: 'Mars/Olympus' } },
  ])
    t.match(await ann.patch('/api/settings', wrong), { status: 400 }, JSON.stringify(wrong))
  t.equal((await app.visitor.get('/api/settings')).status, 401)
})

test('removes files of an export whose worker was killed, and keeps an export being written', async (t) => {
  const ann = await app.signIn('Ann Autos')
  const { ctx } = app.server
  const drafts = join(ctx.config.dataDir, 'exports')
  await mkdir(drafts, { recursive: true })
  t.teardown(() => rm(drafts, { recursive: true }))
  const { id } = await ctx.db
    .insertInto('dataExports')
    .values({ dealerId: ann.id })
    .returning('id')
    .executeTakeFirstOrThrow()
  const [writing, left] = [`${id}.zip`, `${randomUUID()}.zip`]
  for (const name of [writing, left, 'notes.txt']) await writeFile(join(drafts, name), 'half of it')
  await sweepExports(ctx)
  const names = await readdir(drafts)
  t.same(
    [writing, left, 'notes.txt'].filter((name) => names.includes(name)),
    [writing, 'notes.txt'],
  )
})
