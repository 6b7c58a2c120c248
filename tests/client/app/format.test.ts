import t from 'tap'
import { formatBytes } from '#client/ui/format.ts'

t.test('formats a size in the unit that fits', (t) => {
  const sizes = [1, 3_100, 1_240_000, 812_500_000, 12_000_000_000, 1_234_500_000_000]
  t.same(sizes.map(formatBytes), ['1 KB', '3 KB', '1.2 MB', '812.5 MB', '12.0 GB', '1234.5 GB'])
  t.end()
})
