import t from 'tap'
import { exampleOf } from '#client/features/find/find-example.ts'
import { readPhrase } from '#client/features/find/phrase/parse.ts'
import type { FindFacets } from '#shared/schemas/find.ts'

const withFacets = (about: Partial<FindFacets>): { facets: FindFacets } => ({
  facets: {
    mmt: [],
    year: { counts: [], notStated: 0 },
    price: { step: 3_000, counts: [], notStated: 0 },
    miles: { step: 10_000, counts: [], notStated: 0 },
    body: [],
    drive: [],
    fuel: [],
    sale: [],
    seller: { connected: 0, rated: 0 },
    posted: [],
    photos: 0,
    ...about,
  },
})
const model = (label: string, count: number) => ({ label, count, trims: [] })
const make = (label: string, ...models: ReturnType<typeof model>[]) => ({ label, count: 0, models })

t.test('composes an example from the most common values, which Find can parse', async (t) => {
  const example = exampleOf(
    withFacets({
      mmt: [make('Toyota', model('Camry', 8)), make('Ford', model('', 90), model('F-150', 12))],
      year: {
        counts: [
          { year: 2018, count: 2 },
          { year: 2019, count: 3 },
          { year: 2020, count: 9 },
          { year: 2021, count: 4 },
        ],
        notStated: 0,
      },
      miles: { step: 10_000, counts: [1, 2, 6, 6, 3, 0, 2], notStated: 0 },
    }),
  )
  t.equal(example, '2019-2021 Ford F-150 under 40k miles')
  t.match(readPhrase(example).query, { year: { from: 2019, to: 2021 }, miles: { to: 40_000 } })
})

t.test('leaves out values with fewer than five vehicles', async (t) => {
  const few = {
    year: { counts: [{ year: 2020, count: 4 }], notStated: 0 },
    miles: { step: 10_000, counts: [4, 0], notStated: 0 },
  }
  t.equal(exampleOf(withFacets({ ...few, mmt: [make('Ford', model('F-150', 5))] })), 'Ford F-150')
  t.equal(
    exampleOf(withFacets({ ...few, mmt: [{ label: 'Ford', count: 5, models: [] }] })),
    'Ford',
    'no make is chosen',
  )
  t.equal(
    exampleOf(withFacets({ ...few, mmt: [make('Ford', model('F-150', 4))] })),
    'Year, make, model, miles or location',
  )
  t.equal(exampleOf(undefined), 'Year, make, model, miles or location')
})
