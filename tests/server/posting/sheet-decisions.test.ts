import { EventEmitter, once } from 'node:events'
import pg from 'pg'
import t from 'tap'
import type { ErrorBody } from '#shared/errors.ts'
import type { NotificationsPage } from '#shared/schemas/notifications.ts'
import type { SheetPreview, SheetReport } from '#shared/schemas/posting.ts'
import type { PostDetail } from '#shared/schemas/posts.ts'
import { type Caller, startApp } from '#tests/support/app.ts'
import { aBidder, bid, readAuction } from '#tests/support/bidding.ts'
import { publish } from '#tests/support/factories.ts'
import { decideSheet, finishedImport } from '#tests/support/imports.ts'
import { untilBlocked } from '#tests/support/locks.ts'
import { startWebsite } from '#tests/support/sheets.ts'
import { until } from '#tests/support/wait.ts'

type Listener = Parameters<typeof startWebsite>[1]

let listener: Listener = (_request, response) => response.writeHead(404).end()
const host = await startWebsite(t, (...exchange) => listener(...exchange))
const app = await startApp(t, { FETCH_PRIVATE_HOSTS: host })
t.beforeEach(app.startOver)

const vinOf = (number: number) => `1FTFW1E59NKD${69_000 + number}`
interface Car {
  number: number
  price?: number
  vin?: string
}
const cars = (count: number, from = 1): Car[] => Array.from({ length: count }, (_, index) => ({ number: from + index }))
const sheetOf = (...listed: Car[]) =>
  [
    'VIN,Year,Make,Model,Mileage,Price',
    ...listed.map(
      ({ number, price = 9_000, vin = vinOf(number) }) => `${vin},2022,Ford,F-150,${50_000 + number},${price}`,
    ),
  ].join('\n')
const answerWith = (text: string) =>
  void (listener = (_request, response) => response.setHeader('content-type', 'text/csv').end(text))
const post = { type: 'spreadsheet' as const, title: 'Live auction: our stock', vehicles: [] }

async function aLinkedPost(...first: Car[]) {
  answerWith(sheetOf(...first))
  const seller = await app.signIn('Webb Bros')
  const id = await publish(seller, { ...post, spreadsheetUrl: `http://${host}/list.csv` })
  t.match(await finishedImport(seller, id), { state: 'done', found: first.length })
  const report = async () => (await seller.get<SheetReport>(`/api/inventory/${id}/sheet`)).body
  const vehicles = async () => (await seller.get<PostDetail>(`/api/inventory/${id}`)).body.vehicles
  const readAgain = async (...next: Car[]) => {
    answerWith(sheetOf(...next))
    t.equal((await seller.post(`/api/inventory/${id}/sheet`)).status, 200)
    return finishedImport(seller, id)
  }
  const decide = (heldId: string | undefined, isPublished: boolean) =>
    decideSheet(seller, id, { heldId, publish: isPublished })
  return { id, seller, report, vehicles, readAgain, decide }
}

const vinsOf = (vehicles: PostDetail['vehicles']) => vehicles.map(({ vin }) => vin)
const refusalOf = ({ status, body }: { status: number; body: object }) => ({
  status,
  message: (body as Partial<ErrorBody>).error?.message,
})

async function aWatcher() {
  const watcher = new pg.Client({ connectionString: app.services['DATABASE_URL'] })
  await watcher.connect()
  t.teardown(() => watcher.end())
  return watcher
}

t.test('keeps the vehicle of an auction that opens, and gets a bid, while an import is being published', async (t) => {
  const watcher = await aWatcher()
  for (const hasBid of [false, true]) {
    const { id, seller, vehicles, readAgain, decide } = await aLinkedPost(...cars(10))
    const { held } = await readAgain({ number: 9 }, { number: 8 }, { number: 1 })
    const [lot] = await vehicles()
    // The import has already checked that there is no auction, and now waits for this lock.
    const { decision } = await app.server.ctx.db.transaction().execute(async (tx) => {
      await tx.selectFrom('posts').select('id').where('id', '=', id).forUpdate().execute()
      const asked = decide(held?.id, true)
      await untilBlocked(watcher, 'select % from "posts"%for no key update%')
      const at = (minutes: number) => new Date(Date.now() + minutes * 60_000)
      const terms = { startCents: 50_000, reserveCents: null, startsAt: at(-1), endsAt: at(60), hardEndsAt: at(120) }
      const steps = { incrementCents: 10_000, buyFeeCents: 0, buyFeeBasisPoints: 0 }
      await tx
        .insertInto('auctions')
        .values({ postId: id, sellerId: seller.id, ...terms, ...steps })
        .execute()
      if (hasBid) await tx.updateTable('auctions').set({ bidCount: 1 }).where('postId', '=', id).execute()
      return { decision: asked }
    })
    const { status } = await decision
    if (hasBid) t.same([status, (await vehicles()).length], [409, 10])
    else t.same(vinsOf(await vehicles()), [vinOf(1), vinOf(9), vinOf(8)])
    t.equal((await vehicles())[0]?.id, lot?.id, hasBid ? 'with a bid' : 'without a bid')
  }
})

t.test('refuses to publish a held import once the auction has a bid', async (t) => {
  const { id, seller, readAgain, decide, vehicles } = await aLinkedPost(...cars(10))
  const buyer = await aBidder(app, 'Buyer Motors')
  const { held } = await readAgain({ number: 9 })
  const terms = { startAmount: 500, reserveAmount: null }
  t.equal((await seller.patch(`/api/inventory/${id}`, { auction: terms })).status, 200)
  t.equal((await bid(buyer, id, 600)).status, 201)
  t.match(await decide(held?.id, true), { status: 409, body: { error: { message: /has a bid/ } } })
  t.equal((await vehicles()).length, 10)
  t.equal((await readAuction(buyer, id)).status, 'open')
  t.equal((await decide(held?.id, false)).status, 200, 'and can be declined')
})

t.test('asks before a published import ends the auction of the post', async (t) => {
  const { id, seller, readAgain, decide, vehicles } = await aLinkedPost(...cars(10))
  const { held } = await readAgain({ number: 9 })
  const terms = { startAmount: 500, reserveAmount: null }
  t.equal((await seller.patch(`/api/inventory/${id}`, { auction: terms })).status, 200)
  t.match(await decide(held?.id, true), { status: 409, body: { error: { details: { code: 'ENDS_AUCTION' } } } })
  t.equal((await vehicles()).length, 10)
  t.equal((await readAuction(seller, id)).status, 'open')
  const confirmed = { heldId: held?.id, publish: true, endAuction: true }
  t.match((await decideSheet(seller, id, confirmed)).body, { state: 'done', found: 1 })
  t.equal((await readAuction(seller, id)).status, 'no_sale')
})

t.test('keeps the report and the held import of before if the link fails', async (t) => {
  const { id, seller, readAgain, vehicles, decide } = await aLinkedPost(...cars(10))
  const before = await readAgain({ number: 1, price: 8_000 }, ...cars(9, 2))
  t.match(before, { state: 'done', found: 10, changes: { changed: 1 } })
  const { held } = await readAgain(...cars(5))
  const huge = Buffer.alloc(11 * 1024 * 1024, 'a,b\n')
  const failures: [Listener, RegExp][] = [
    [(_request, response) => response.writeHead(404).end(), /link/],
    [(_request, response) => response.end('<!doctype html><title>Sign in</title>'), /is a web page/],
    [(_request, response) => response.end(huge), /MB/],
    [(_request, response) => response.end('VIN,Make,Model\n'), /./],
  ]
  for (const [next, error] of failures) {
    listener = next
    t.equal((await seller.post(`/api/inventory/${id}/sheet`)).status, 200)
    const report = await finishedImport(seller, id)
    t.match(report, { state: 'failed', error, held: { id: held?.id, found: 5 } })
    const { found, faults, summary, changes } = before
    t.match(report, { found, faults, summary, changes }, 'the report of the vehicles that are listed')
    t.equal((await vehicles()).length, 10)
  }
  t.match((await decide(held?.id, true)).body, { state: 'done', found: 5, error: null, held: null })
})

t.test('shows the changes to the post as it is now before a held import is published', async (t) => {
  const { id, seller, vehicles, readAgain, decide, report } = await aLinkedPost(...cars(10))
  const { held } = await readAgain(...cars(6))
  t.match(held?.changes, { removed: 4, changed: 0 })
  const edited = (await vehicles())[0]
  const priced = { vehicleChanges: { changed: [{ id: edited?.id, price: 8_400 }] } }
  t.equal((await seller.patch(`/api/inventory/${id}`, priced)).status, 200)
  const refused = refusalOf(await decide(held?.id, true))
  t.same(refused, {
    status: 409,
    message: 'Your post changed since this list was made. Check the new list, then publish again',
  })
  t.equal((await vehicles())[0]?.price, 8_400, 'nothing is published')
  const renewed = await report()
  t.match(renewed, {
    state: 'held',
    held: {
      found: 6,
      readAt: held?.readAt,
      changes: { removed: 4, changed: 1, list: { 4: { vin: vinOf(1), price: { before: 8_400, after: 9_000 } } } },
    },
  })
  t.equal((await decide(held?.id, true)).status, 409, 'the list of before is not approved')
  t.match((await decide(renewed.held?.id, true)).body, { state: 'done', found: 6, changes: { removed: 4, changed: 1 } })
})

t.test('decides once if two tabs decide at the same time', async (t) => {
  for (const both of [
    [true, true],
    [true, false],
  ] as const) {
    const { readAgain, decide, vehicles, report } = await aLinkedPost(...cars(10))
    const { held } = await readAgain(...cars(5))
    const answers = await Promise.all(both.map((isPublished) => decide(held?.id, isPublished)))
    t.same(new Set(answers.map(({ status }) => status)), new Set([200, 409]))
    t.match(await report(), { state: 'done', held: null, found: (await vehicles()).length })
  }
})

t.test('notices changes to the post that the shortened list does not show', async (t) => {
  const { id, seller, vehicles, readAgain, decide } = await aLinkedPost(...cars(260))
  const { held } = await readAgain(...cars(130, 131).map((car) => ({ ...car, price: 9_500 })))
  t.match(held?.changes, { removed: 130, changed: 130 })
  const last = (await vehicles()).at(-1)
  const priced = { vehicleChanges: { changed: [{ id: last?.id, price: 8_400 }] } }
  t.equal((await seller.patch(`/api/inventory/${id}`, priced)).status, 200)
  t.equal((await decide(held?.id, true)).status, 409)
})

t.test('names when a held import was read', async (t) => {
  const { readAgain } = await aLinkedPost(...cars(10))
  const from = Date.now()
  const { held } = await readAgain(...cars(5))
  const readAt = Date.parse(held?.readAt ?? '')
  t.ok(readAt >= from - 1_000 && readAt <= Date.now() + 1_000, `read at ${held?.readAt}`)
})

t.test('compares with a post that has nothing for sale', async (t) => {
  const { id, seller, readAgain, vehicles } = await aLinkedPost(...cars(2))
  for (const vehicle of await vehicles())
    await seller.patch(`/api/inventory/${id}`, { vehicle: { id: vehicle.id, status: 'pending' } })
  t.match(await readAgain(...cars(2)), { state: 'done', changes: { added: 0, removed: 0, changed: 0 } })
  t.match(await readAgain(...cars(3)), { state: 'done', changes: { added: 1, removed: 0, changed: 0 } })
})

t.test('holds an import that loses over 30 % of the VINs', async (t) => {
  const { seller, vehicles, readAgain, decide } = await aLinkedPost(...cars(10))
  const without = (from: number) => cars(10).map((car) => (car.number >= from ? { ...car, vin: '' } : car))
  t.match(await readAgain(...without(8)), { state: 'done', changes: { changed: 3, vinsLost: 3 } }, 'three of ten')
  t.match(await readAgain(...cars(10)), { state: 'done', changes: { added: 3, removed: 3, vinsLost: 0 } }, 'and back')
  const { state, held } = await readAgain(...without(7))
  t.match(
    { state, held },
    { state: 'held', held: { changes: { added: 0, removed: 0, changed: 4, vinsLost: 4, pricesLost: 0 } } },
  )
  t.match(held?.changes?.list[0], { kind: 'changed', vin: null, vinBefore: vinOf(7) })
  t.same(
    vinsOf(await vehicles()),
    cars(10).map(({ number }) => vinOf(number)),
  )
  const { items } = (await seller.get<NotificationsPage>('/api/notifications')).body
  t.match(items[0], {
    body: 'The new version has 10 vehicles instead of 10, 10 prices instead of 10, and 6 VINs instead of 10. Publish it or keep the current version',
  })
  t.match((await decide(held?.id, true)).body, { state: 'done', changes: { vinsLost: 4 } })
})

t.test('holds a first import that has lost its VINs since the preview', async (t) => {
  const seller = await app.signIn('Webb Bros')
  const url = `http://${host}/list.csv`
  answerWith(sheetOf(...cars(10)))
  const { body } = await seller.post<SheetPreview>('/api/spreadsheets/preview', { url })
  t.equal(body.withVin, 10)
  answerWith(sheetOf(...cars(10).map((car) => ({ ...car, vin: '' }))))
  const seen = { vehicles: 10, prices: 10 }
  for (const [sheetSeen, state] of [
    [{ ...seen, vins: 10 }, 'held'],
    [{ ...seen, vins: 0 }, 'done'],
    [seen, 'done'],
  ] as const)
    t.match(await finishedImport(seller, await publish(seller, { ...post, spreadsheetUrl: url, sheetSeen })), { state })
})

t.test(
  'says that the vehicles are not listed yet while their first import waits, and after it is declined',
  async (t) => {
    answerWith(sheetOf(...cars(3)))
    const seller = await app.signIn('Webb Bros')
    const sheetSeen = { vehicles: 0, prices: 0 }
    const id = await publish(seller, { ...post, spreadsheetUrl: `http://${host}/list.csv`, sheetSeen })
    const { held } = await finishedImport(seller, id)
    const vehicle = { year: 2020, make: 'Kia', model: 'Rio' }
    const edits = async () =>
      Promise.all(
        [{ vehicles: [vehicle] }, { auction: { startAmount: 500, reserveAmount: null } }].map(
          async (patch) => refusalOf(await seller.patch<ErrorBody>(`/api/inventory/${id}`, patch)).message,
        ),
      )
    const right = [
      'The vehicles of this spreadsheet are not listed yet. Open the post to publish them, or to read the spreadsheet again',
      'Bidding can be switched on once the vehicles of the spreadsheet are listed: edit the post then',
    ]
    t.same(await edits(), right)
    t.match((await decideSheet(seller, id, { heldId: held?.id, publish: false })).body, { state: 'done', found: 0 })
    t.same(await edits(), right)
  },
)

const importsOf = async (id: string) =>
  app.server.ctx.db.selectFrom('sheetImports').selectAll().where('postId', '=', id).execute()

t.test('keeps nothing of an import when its post is deleted, even while it is being read', async (t) => {
  const { id, seller, readAgain, decide } = await aLinkedPost(...cars(10))
  const { held } = await readAgain(...cars(5))
  const other = await aLinkedPost(...cars(10))
  const answer = new EventEmitter()
  let asked = 0
  listener = async (_request, response) => {
    asked += 1
    await once(answer, 'now')
    response.end(sheetOf(...cars(3)))
  }
  t.equal((await seller.post(`/api/inventory/${id}/sheet`)).status, 200)
  await until('the request', () => asked === 1)
  t.equal((await seller.delete(`/api/inventory/${id}`)).status, 204)
  t.same(await importsOf(id), [])
  answer.emit('now')
  await until('the job to end', async () => {
    const jobs = await app.server.ctx.db.selectFrom('outbox').select('id').where('name', '=', 'sheet.import').execute()
    return jobs.length === 0
  })
  t.same(await importsOf(id), [])
  t.equal((await importsOf(other.id)).length, 1, 'the imports of other posts stay')
  for (const isPublished of [true, false]) t.equal((await decide(held?.id, isPublished)).status, 404)
  t.equal((await seller.post(`/api/inventory/${id}/sheet`)).status, 404)
})

t.test('refuses a decision in a second tab while the first one reads the link again', async (t) => {
  const { id, seller, readAgain, decide, vehicles } = await aLinkedPost(...cars(10))
  const { held } = await readAgain(...cars(5))
  const answer = new EventEmitter()
  let asked = 0
  listener = async (_request, response) => {
    asked += 1
    await once(answer, 'now')
    response.end(sheetOf(...cars(6)))
  }
  const presses = await Promise.all([1, 2, 3].map(() => seller.post(`/api/inventory/${id}/sheet`)))
  t.same(
    presses.map(({ status }) => status),
    [200, 200, 200],
  )
  await until('the request', () => asked > 0)
  for (const isPublished of [true, false])
    t.same(refusalOf(await decide(held?.id, isPublished)), {
      status: 409,
      message: 'The spreadsheet is being read again. Decide once the new version is here',
    })
  const again = setInterval(() => answer.emit('now'), 20)
  t.teardown(() => clearInterval(again))
  const report = await finishedImport(seller, id)
  t.match(report, { state: 'held', held: { found: 6 } })
  t.equal((await vehicles()).length, 10)
  t.equal((await decide(held?.id, true)).status, 409, 'the version of before is gone')
})

t.test('publishes nothing for a dealer who was suspended while their link was read', async (t) => {
  const admin = await app.signIn('Lanewire', { role: 'admin' })
  const { id, seller } = await aLinkedPost(...cars(10))
  const answer = new EventEmitter()
  let asked = 0
  listener = async (_request, response) => {
    asked += 1
    await once(answer, 'now')
    response.end(sheetOf(...cars(12)))
  }
  t.equal((await seller.post(`/api/inventory/${id}/sheet`)).status, 200)
  await until('the request', () => asked === 1)
  const suspend = (caller: Caller, act: string) =>
    caller.post(`/api/admin/users/${seller.id}/${act}`, { reason: 'Fraud', ...(act === 'suspend' && { until: null }) })
  t.ok((await suspend(admin, 'suspend')).status < 300)
  answer.emit('now')
  const [row] = await until('the import', async () => {
    const rows = await importsOf(id)
    return rows[0]?.state === 'waiting' ? undefined : rows
  })
  t.match(row, { state: 'failed', error: /suspended/ })
  t.ok((await suspend(admin, 'reinstate')).status < 300)
  const { body } = await admin.get<PostDetail>(`/api/inventory/${id}`)
  t.equal(body.vehicles.length, 10)
})
