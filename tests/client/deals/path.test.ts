import { randomUUID } from 'node:crypto'
import t from 'tap'
import { pathOf, turnOf, waitingSince } from '#client/features/deals/room/path-steps.ts'
import type { DealDetail, DealDocument, DealStep, Signature } from '#shared/schemas/deals.ts'
import { dealDetailBetween, mayNothing } from '#tests/support/records.ts'

const at = (hour: number) => `2026-11-20T${hour}:00:00.000Z`
const party = (name: string) => ({ id: randomUUID(), name, dealershipName: `${name} Motors` })
const [seller, buyer] = [party('Dana Torres'), party('Marcus Webb')]
const deal = (about: Partial<DealDetail>) => dealDetailBetween(seller, buyer, about)

const step = (kind: string, hour: number): DealStep => ({ kind, amount: null, at: at(hour), by: null, note: null })
const paper = (kind: DealDocument['kind'], ready = true): DealDocument => ({
  id: randomUUID(),
  kind,
  number: '1',
  version: 1,
  ready,
  createdAt: at(11),
})
const signature = (kind: Signature['kind'], by: { id: string; name: string }, hour: number): Signature => ({
  kind,
  dealerId: by.id,
  name: by.name,
  address: '203.0.113.7',
  signedAt: at(hour),
})
const papers = [paper('bill_of_sale'), paper('odometer')]
const approved: Partial<DealDetail> = { status: 'approved', steps: [step('approved', 11)], documents: papers }

const marks = { done: '+', current: '>', coming: '.', stopped: 'x' } as const
const shape = (about: Partial<DealDetail>): string =>
  pathOf(deal(about))
    .map(({ state }) => marks[state])
    .join('')

t.test('derives the path from the state of the deal', async (t) => {
  t.equal(shape({}), '+>...')
  t.equal(shape({ ...approved, documents: [paper('bill_of_sale', false), paper('odometer')] }), '++>..', 'being made')
  t.equal(shape({ ...approved, mileage: null }), '++>..', 'the mileage is missing')
  t.equal(shape(approved), '+++>.')
  const one = [signature('bill_of_sale', seller, 12)]
  t.equal(shape({ ...approved, signatures: one }), '+++>.', 'one signature')
  const both = [...one, signature('bill_of_sale', buyer, 13)]
  t.equal(shape({ ...approved, signatures: both }), '++++>')
  t.equal(shape({ ...approved, mileage: null, signatures: both }), '++++>', 'signed without the mileage')
  t.equal(shape({ ...approved, signatures: both, status: 'completed' }), '+++++')
  t.equal(shape({ status: 'completed' }), '+++++', 'a completed deal of which no steps are recorded')
})

t.test('asks for the mileage statement alone if no plan includes the bill of sale', async (t) => {
  const basic = { ...approved, billOfSaleNeeds: 'The Premium Plan has it' }
  t.equal(shape({ ...basic, documents: [paper('bill_of_sale', false), paper('odometer')] }), '+++>.')
  const odometer = [signature('odometer', seller, 12), signature('odometer', buyer, 13)]
  t.equal(shape({ ...basic, signatures: odometer }), '++++>')
  t.equal(shape({ ...approved, signatures: odometer }), '+++>.', 'with a plan, it does not close the deal')
})

t.test('stops the path where a deal was cancelled', async (t) => {
  t.equal(shape({ status: 'cancelled', steps: [step('cancelled', 12)] }), '+x...')
  const late = deal({ ...approved, status: 'cancelled', steps: [step('approved', 11), step('cancelled', 12)] })
  t.match(pathOf(late)[3], { label: 'Signed', state: 'stopped', at: at(12) })
})

t.test('dates the steps that are recorded', async (t) => {
  const signatures = [signature('bill_of_sale', buyer, 13), signature('bill_of_sale', seller, 12)]
  const steps = [step('approved', 11), step('completed', 14)]
  t.same(
    pathOf(deal({ ...approved, status: 'completed', steps, signatures })).map((one) => one.at),
    [at(10), at(11), null, at(13), at(14)],
  )
})

t.test('says whom an open deal waits for, and since when', async (t) => {
  const mine = { ...mayNothing, approve: true }
  t.equal(turnOf(deal({ may: mine })), 'you')
  t.equal(turnOf(deal({ waitsFor: 'approve' })), 'other')
  t.equal(turnOf(deal({ ...approved, may: { ...mayNothing, sign: ['odometer'] }, waitsFor: 'sign' })), 'both')
  t.equal(turnOf(deal({ absent: [{ side: 'buyer', is: 'unavailable' }] })), 'held')
  t.equal(turnOf(deal({})), 'nobody')
  t.equal(turnOf(deal({ status: 'completed', may: { ...mayNothing, review: true } })), 'nobody')
  t.equal(waitingSince(deal({})), at(10))
  t.equal(waitingSince(deal(approved)), at(11))
  t.equal(waitingSince(deal({ status: 'completed' })), null)
})
