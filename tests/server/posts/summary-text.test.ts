import t from 'tap'
import { summarize, type SummaryPost, type SummaryVehicle } from '#server/features/posts/summaries/summary-text.ts'
import { titleWords } from '#server/features/posts/summaries/title-words.ts'

const aTruck: SummaryVehicle = {
  year: 2021,
  make: 'Ford',
  model: 'F-150',
  trim: 'XLT',
  mileage: 48_000,
  priceCents: 3_190_000,
  previousPriceCents: null,
  priceChangedAt: null,
  notes: null,
}
const linesOf = (vehicles: SummaryVehicle[], words: Partial<SummaryPost> = {}) =>
  summarize({ title: '2021 Ford F-150', description: '', ...words }, vehicles, 2025).map(({ text }) => text)
const told = { description: 'Clean title, runs and drives' }

t.test('repeats nothing from the header: name, mileage, price, place', async (t) => {
  t.same(linesOf([aTruck], told), ['About 12,000 mi/year (average is 12,000)'])
})

t.test('names important missing details', async (t) => {
  t.same(linesOf([aTruck]).slice(1), ['Not stated: title, condition'])
  t.same(linesOf([aTruck], { description: 'Title in hand' }).slice(1), ['Not stated: condition'])
  t.same(linesOf([{ ...aTruck, notes: 'Rough, title in hand' }]).slice(1), [])
})

t.test('gives the day of a price change', async (t) => {
  const moved = { ...aTruck, previousPriceCents: 3_290_000, priceChangedAt: new Date('2025-03-04T12:00:00Z') }
  t.same(linesOf([moved], told)[1], 'Price lowered by $1,000 from $32,900 on Mar 4')
  t.same(
    linesOf([{ ...moved, previousPriceCents: 3_000_000 }], told)[1],
    'Price raised by $1,900 from $30,000 on Mar 4',
  )
})

t.test('lists disclosed damage unless the text denies it', async (t) => {
  const of = (description: string) => linesOf([aTruck], { description: `Runs well. ${description}` }).slice(1)
  t.same(of('Salvage title, frame damage.'), ['Seller discloses: salvage, frame damage'])
  t.same(of('Clean title, no frame damage, never flooded'), [])
  t.same(of('Title: rebuilt. TMU'), ['Seller discloses: rebuilt, true mileage unknown'])
})

t.test('gives a range for several vehicles, and one price if all have the same', async (t) => {
  const older = { ...aTruck, year: 2019, mileage: 60_000, priceCents: 2_190_000 }
  t.same(linesOf([aTruck, older], told), [
    'Model years 2019 to 2021, Ford',
    '$21,900 to $31,900, $26,900 on average',
    '48,000 to 60,000 mi, about 11,000 mi/year on average (typical is 12,000)',
  ])
  t.same(linesOf([aTruck, aTruck], told), [
    'Model year 2021, Ford',
    '$31,900 each',
    '48,000 mi each, about 12,000 mi/year on average (typical is 12,000)',
  ])
  t.same(linesOf([]), [])
})

t.test("quotes the seller's words about the title, those of the vehicle first", async (t) => {
  t.equal(
    titleWords([null, '2021 Ford F-150 XLT: one owner, clean title', 'Two keys. Title in hand!']),
    'Clean title, Title in hand',
  )
  t.equal(
    titleWords(['rebuilt title, new paint', 'Truck, REBUILT TITLE', 'No title issues. Salvage']),
    'Rebuilt title, No title issues',
  )
  t.equal(titleWords(['Rebuilt engine', 'Truck', '']), null, 'an engine is no title')
  const long = titleWords([`title ${'🚚'.repeat(500)}`]) ?? ''
  t.same([[...long].length, long.endsWith('🚚')], [80, true], 'cut between characters')
})
