import t from 'tap'
import { parseFind } from '#shared/find-query.ts'
import { seededRandom } from '#server/db/seed/random.ts'
import { Columns } from '#server/features/find/columns/table.ts'
import { criteriaOf } from '#server/features/find/find-criteria.ts'
import { scan } from '#server/features/find/columns/scan.ts'

t.test('returns existing rows after any insertion, update and removal', (t) => {
  const random = seededRandom(3)
  const columns = new Columns()
  const there = new Map<number, number>()
  const write = (changes: [rowNo: number, price: number | undefined][]) => {
    const line = ([rowNo, price]: (typeof changes)[number]) =>
      `${rowNo}|1|1|1|1|2020|${price ?? 1}|10|1|1|1|||0||5|${rowNo}|${price === undefined ? 1 : 0}`
    columns.write(changes.map(line).join('\n'))
    for (const [rowNo, price] of changes)
      if (price === undefined) there.delete(rowNo)
      else there.set(rowNo, price)
  }
  const price = () => random.int(1, 1_000_000)
  write(Array.from({ length: 20_000 }, (_, row) => [2 * row + 1, price()]))
  for (let turn = 0; turn < 12; turn++) {
    const known = random.sample([...there.keys()], 1_500)
    write(known.map((rowNo) => [rowNo, random.chance(0.8) ? undefined : price()]))
    write([...new Set(Array.from({ length: 200 }, () => random.int(1, 60_000)))].map((rowNo) => [rowNo, price()]))
    const caller = { words: [], near: undefined, network: [], excluded: [], now: 10 }
    const criteria = criteriaOf(parseFind('price=0-5000'), caller)
    const { total, rows } = scan(columns, { criteria, page: { sort: 'cheapest', limit: 100 } })
    const wanted = [...there].filter(([, cents]) => cents <= 500_000)
    const first = wanted.toSorted(([row, cents], [other, more]) => cents - more || other - row).slice(0, 100)
    t.equal(columns.vehicles, there.size)
    t.equal(total, wanted.length)
    t.same(
      rows.map(([rowNo]) => rowNo),
      first.map(([rowNo]) => rowNo),
    )
  }
  t.ok(columns.length < 15_000, 'removed rows are not included')
  t.end()
})
