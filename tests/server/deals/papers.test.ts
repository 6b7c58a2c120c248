import { sql } from 'kysely'
import t from 'tap'
import type { DealDetail, DealPaper } from '#shared/schemas/deals.ts'
import { type Caller, startApp } from '#tests/support/app.ts'
import { aDealOn, aDealWith, lettersOf, wordsOf } from '#tests/support/deals.ts'
import { publish } from '#tests/support/factories.ts'
import { until } from '#tests/support/wait.ts'

const app = await startApp(t)
t.beforeEach(app.startOver)

const parties = async () =>
  [await app.signIn('Żak Autos', { plan: 'premium' }), await app.signIn('Buyer Cars')] as const
const sign = (caller: Caller, { id }: DealDetail, kind = 'bill_of_sale') =>
  caller.post<DealDetail>(`/api/deal/${id}/documents/${kind}/signature`, { name: 'A Name' })
const rename = (caller: Caller, dealershipName: string) => caller.patch('/api/profile', { dealershipName })

/** Waits for the newest version of a document. Returns its text and its characters outside Latin-1. */
async function paperOf(caller: Caller, { id }: DealDetail, kind = 'bill_of_sale') {
  const paper = await until('the paper', async () => {
    const { documents } = (await caller.get<DealDetail>(`/api/deal/${id}`)).body
    return documents.find((document) => document.kind === kind && document.ready)
  })
  const answer = await fetch(`${app.url}/api/deal/${id}/documents/${paper.id}`, { headers: { cookie: caller.cookie } })
  const pdf = Buffer.from(await answer.arrayBuffer())
  return { version: paper.version, letters: lettersOf(pdf), words: wordsOf(pdf) }
}

t.test(
  'keeps a paper that one party has signed unchanged for the other, even if a name changes meanwhile',
  async (t) => {
    const [seller, buyer] = await parties()
    const deal = await aDealWith(seller, buyer)
    t.equal((await sign(buyer, deal)).status, 200)
    t.equal((await rename(seller, 'Шелл 42 LLC')).status, 200)
    t.match(await sign(seller, deal), { status: 200, body: { may: { complete: false } } })
    const { version, letters } = await paperOf(buyer, deal)
    t.equal(version, 3)
    t.ok(letters.has('Ż'), 'the name at the signature')
    t.notOk(letters.has('Ш'))
  },
)

t.test('asks to read a paper again that changed before anybody signed', async (t) => {
  const [seller, buyer] = await parties()
  const deal = await aDealWith(seller, buyer)
  await paperOf(buyer, deal)
  await rename(seller, 'Łódź Autos')
  t.match(await sign(buyer, deal), {
    status: 409,
    body: { error: { message: /has changed since it was generated\. Read the new version/ } },
  })
  const renewed = await paperOf(buyer, deal)
  t.equal(renewed.version, 2)
  t.ok(renewed.letters.has('Ł') && !renewed.letters.has('Ż'))
  t.match((await sign(buyer, deal)).body, { signatures: [{ dealerId: buyer.id }] })
})

t.test('refuses a signature that shows no name', async (t) => {
  const [seller, buyer] = await parties()
  const { id } = await aDealWith(seller, buyer)
  const at = `/api/deal/${id}/documents/bill_of_sale/signature`
  for (const name of ['  ', '\u200B\u200B', '\u202E\u2066 '])
    t.equal((await buyer.post(at, { name })).status, 400, JSON.stringify(name))
  const { signatures } = (await buyer.post<DealDetail>(at, { name: ' \u202EAnn Lee ' })).body
  t.same(
    signatures.map(({ name }) => name),
    ['Ann Lee'],
  )
})

t.test('does not change a signed paper when the mileage is stated later', async (t) => {
  const [seller, buyer] = await parties()
  const postId = await publish(seller)
  await app.server.ctx.db.updateTable('vehicles').set({ mileage: null }).where('postId', '=', postId).execute()
  const deal = await aDealOn(postId, seller, buyer)
  await sign(buyer, deal)
  const before = await paperOf(buyer, deal)
  t.equal((await seller.put(`/api/deal/${deal.id}/mileage`, { mileage: 1_234 })).status, 200)
  t.equal((await paperOf(buyer, deal, 'odometer')).version, 2, 'the odometer statement has it')
  t.equal((await paperOf(buyer, deal)).version, before.version)
  t.equal((await sign(seller, deal)).status, 200)
  t.equal((await sign(buyer, deal, 'odometer')).status, 200)
})

t.test('never certifies the actual mileage, whatever the post says', async (t) => {
  const [seller, buyer] = [await app.signIn('Seller Autos'), await app.signIn('Buyer Cars')]
  const descriptions = ['TMU', 'Not actual miles', 'Exempt by age', 'Exceeds mechanical limits', 'Runs and drives']
  for (const description of descriptions) {
    const deal = await aDealOn(await publish(seller, { description }), seller, buyer)
    const { words } = await paperOf(buyer, deal, 'odometer')
    t.match(words, /Mileage statement between dealers/, description)
    t.match(words, /reads 48,210 miles \(no tenths\)\. Mileage status: status not stated\./, description)
    t.notMatch(words, /actual mileage|Odometer Disclosure Statement/, description)
  }
})

t.test('keeps the text of a mileage statement that one party has signed', async (t) => {
  const [seller, buyer] = [await app.signIn('Seller Autos'), await app.signIn('Buyer Cars')]
  const deal = await aDealWith(seller, buyer)
  t.equal((await sign(buyer, deal, 'odometer')).status, 200)
  await sql`update deal_documents set content = content #- '{vehicle,mileageStatus}'
    where deal_id = ${deal.id} and kind = 'odometer'`.execute(app.server.ctx.db)
  t.equal((await sign(seller, deal, 'odometer')).status, 200)
  const { version, words } = await paperOf(seller, deal, 'odometer')
  t.equal(version, 3)
  t.match(words, /this reading is the actual mileage of the vehicle/)
})

t.test('shows a version of a paper with the signatures it was issued with', async (t) => {
  const [seller, buyer] = await parties()
  const deal = await aDealWith(seller, buyer)
  const idOf = ({ documents }: DealDetail) => documents.find(({ kind }) => kind === 'bill_of_sale')?.id
  const ids = [idOf(deal), idOf((await sign(buyer, deal)).body), idOf((await sign(seller, deal)).body)]
  const signedIn = async (id: string | undefined) =>
    (await buyer.get<DealPaper>(`/api/deal/${deal.id}/documents/${id}/text`)).body.signatures.map(
      ({ name }) => name !== null,
    )
  const [unsigned, first, both] = [await signedIn(ids[0]), await signedIn(ids[1]), await signedIn(ids[2])]
  t.same(unsigned, [false, false])
  t.same(first, [false, true], 'the buyer signed first')
  t.same(both, [true, true])
})
