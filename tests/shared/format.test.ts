import t from 'tap'
import { buyFeeOn } from '#shared/buy-fee.ts'
import {
  formatExactTime,
  formatMileage,
  formatMoney,
  formatNumber,
  formatsOf,
  formatTime,
  plural,
} from '#shared/format.ts'

t.test('separates thousands and shows cents only if there are any', (t) => {
  t.same(
    [24_500, 24_500.5, 0].map((dollars) => formatMoney(dollars)),
    ['$24,500', '$24,500.50', '$0'],
  )
  t.same([formatMoney(2_100_000, 'compact'), formatMoney(99, 'exact')], ['$2.1M', '$99.00'])
  const times = ['2026-11-21T09:41:07Z', '2026-11-21T00:05:07Z'].map((at) => formatExactTime(at, 'UTC'))
  t.same(times, ['9:41:07 AM', '12:05:07 AM'])
  t.same(formatTime('2026-11-21T21:41:07Z', 'UTC'), '9:41 PM', 'in the same form as a time without seconds')
  t.same([formatMileage(48_210), formatNumber(8_914), plural(1_200, 'bid')], ['48,210 mi', '8,914', '1,200 bids'])
  t.end()
})

t.test('formats everything in another locale', (t) => {
  const german = formatsOf('de-DE')
  t.match(german.formatMoney(24_500), /^24\.500\s\$$/)
  t.equal(german.formatNumber(8_914), '8.914')
  t.equal(german.formatDate('2026-11-21T09:41:00Z', 'UTC'), '21. Nov. 2026')
  t.equal(german.formatExactTime('2026-11-21T21:41:07Z', 'UTC'), '21:41:07', 'the clock of that country')
  t.equal(german.formatLongDate('2026-11-21T09:41:00Z', 'UTC'), '21. November 2026')
  t.end()
})

t.test('computes a buy fee as an amount, a percentage to the cent, both, or nothing', (t) => {
  const fees = [{ flat: 250, percent: 0 }, { flat: 0, percent: 1.25 }, { flat: 99.5, percent: 2 }, null, undefined]
  t.same(
    fees.map((fee) => buyFeeOn(24_000, fee)),
    [250, 300, 579.5, 0, 0],
  )
  t.same(
    [10_000.4, 10_000.39].map((price) => buyFeeOn(price, { flat: 0, percent: 1.25 })),
    [125.01, 125],
    'half a cent counts as one',
  )
  t.equal(buyFeeOn(99_999_999, { flat: 10_000, percent: 25 }), 25_009_999.75)
  t.end()
})
