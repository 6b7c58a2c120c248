import t from 'tap'
import type { DealDetail, DealPaper } from '#shared/schemas/deals.ts'
import { type Caller, startApp } from '#tests/support/app.ts'
import { aDealWith, wordsOf } from '#tests/support/deals.ts'
import { until } from '#tests/support/wait.ts'

const app = await startApp(t)
t.beforeEach(app.startOver)

const read = async (caller: Caller, dealId: string) => (await caller.get<DealDetail>(`/api/deal/${dealId}`)).body

t.test('previews the same text as the PDF, to the same readers', async (t) => {
  const [seller, buyer] = [await app.signIn('Seller Motors', { plan: 'premium' }), await app.signIn('Buyer Cars')]
  const { id } = await aDealWith(seller, buyer)
  await buyer.post(`/api/deal/${id}/documents/bill_of_sale/signature`, { name: 'Ann Lee' })
  const bill = await until('the signed paper', async () =>
    (await read(buyer, id)).documents.find((one) => one.kind === 'bill_of_sale' && one.ready && one.version === 2),
  )
  const path = `/api/deal/${id}/documents/${bill.id}`
  const { body: text } = await buyer.get<DealPaper>(`${path}/text`)
  t.match(text, { title: 'Bill of Sale', reference: `${bill.number}, version 2`, price: '$30,000' })
  t.match(text.signatures, [
    { by: 'Seller, Seller Motors', name: null, note: 'Not signed yet' },
    { by: 'Buyer, Buyer Cars', name: 'Ann Lee', note: /^Signed electronically by typed name on .* from 127\.0\.0\.1$/ },
  ])
  const pdf = await fetch(app.url + path, { headers: { cookie: buyer.cookie } })
  const words = wordsOf(Buffer.from(await pdf.arrayBuffer()))
  const rows = [...text.vehicle, ...text.parties.flatMap((party) => party.rows)].map(({ value }) => value)
  for (const value of [text.reference, text.issued, text.price ?? '', ...rows]) t.ok(words.includes(value), value)
  for (const word of text.statement.split(/\s+/)) t.ok(words.includes(word), word)
  t.equal((await (await app.signIn('Stranger')).get(`${path}/text`)).status, 404)
  t.equal((await buyer.get(`/api/deal/${bill.id}/documents/${bill.id}/text`)).status, 404, "another deal's address")
})

t.test('refuses the text of a bill of sale that no plan includes', async (t) => {
  const [seller, buyer] = [await app.signIn('Seller Motors'), await app.signIn('Buyer Cars')]
  const { id, documents } = await aDealWith(seller, buyer)
  const statusOf = async (kind: string) =>
    (await buyer.get(`/api/deal/${id}/documents/${documents.find((one) => one.kind === kind)?.id}/text`)).status
  t.same([await statusOf('bill_of_sale'), await statusOf('odometer')], [402, 200])
})
