import fc from 'fast-check'
import t from 'tap'
import { emptyFind, findSearch, parseFind, readFind } from '#shared/find-query.ts'
import { wordKey } from '#shared/vehicle-traits.ts'
import { holds } from '#tests/support/properties.ts'

t.test('reads a written address back the same, in a fixed order and without defaults', async (t) => {
  const address =
    'mmt=Ford~F-150~XLT,Toyota&year=2019-2021&price=-30000&miles=-40000&near=74112&within=300&body=pickup&drive=4wd&fuel=gas' +
    '&sale=fixed,live,coming&seller=connected&rating=4.5&posted=7&photos=1&sort=cheapest&as=cards'
  t.equal(findSearch(parseFind(address)), address)
  const turned = address.split('&').toReversed().join('&')
  t.equal(findSearch(parseFind(turned)), address)
  t.same(parseFind(''), emptyFind)
  t.equal(findSearch(parseFind('sort=newest&as=rows&within=300&unheard=of&body=spaceship&posted=3')), '')
})

t.test('reads reversed ranges, single values and "not stated"', async (t) => {
  const read = (params: Record<string, string>) => findSearch(readFind(params))
  t.equal(read({ year: '2021-2019' }), 'year=2019-2021')
  t.equal(read({ year: '2019' }), 'year=2019-2019')
  t.equal(read({ year: '1200-' }), 'year=1900-')
  t.equal(read({ price: 'cheap' }), '')
  t.equal(read({ price: '-100000000', miles: '10000000-' }), 'price=-99999999&miles=9999999-')
  t.equal(
    read({ price: '-30000,none', year: 'none', miles: 'none, 40000-' }),
    'year=none&price=-30000,none&miles=40000-,none',
  )
  t.equal(read({ price: 'none,cheap', miles: 'none,none' }), 'price=none&miles=none')
  t.equal(read({ near: ' t2p 2m5 ', within: '50.4' }), 'near=T2P+2M5&within=50')
  t.equal(read({ mmt: 'Ford~-, ,ford~f150,Ford~F-150' }), 'mmt=Ford~-,Ford~F-150')
  t.equal(read({ body: 'none,pickup' }), 'body=pickup,none')
  t.equal(read({ sort: 'nearest' }), '', 'nothing is near without a place')
  t.equal(read({ sort: 'ending', sale: 'fixed' }), 'sale=fixed', 'and nothing ends without an auction')
  t.same([wordKey('F-150'), wordKey(' f 150'), wordKey('-')], ['f150', 'f150', ''])
})

t.test('rounds a price with cents outward to whole dollars', async (t) => {
  t.equal(findSearch({ ...emptyFind, price: { from: 8_500.5, to: 9_999.99 } }), 'price=8500-10000')
})

t.test('reads any address without throwing and writes it so that it reads the same', async (t) => {
  const range = fc.array(fc.constantFrom('none', '-', '2019', '30000-', '-40000', '9-2', ' ', 'x'), { maxLength: 3 })
  const params = fc.dictionary(
    fc.constantFrom('mmt', 'year', 'price', 'miles', 'near', 'within', 'body', 'rating', 'sort'),
    fc.oneof(
      fc.string(),
      range.map((parts) => parts.join(',')),
    ),
  )
  await holds(
    t,
    fc.property(params, (given) => {
      const query = readFind(given)
      return JSON.stringify(parseFind(findSearch(query))) === JSON.stringify(query)
    }),
  )
})
