import t from 'tap'
import { cutText } from '#shared/cut-text.ts'

t.test('cuts a text between characters', (t) => {
  for (const [text, max, cut] of [
    ['short', 5, 'short'],
    ['longer', 5, 'longe'],
    ['cars🚗', 5, 'cars'],
    ['cars🚗', 6, 'cars🚗'],
    ['🚗🚗', 3, '🚗'],
    ['', 5, ''],
  ] as const)
    t.equal(cutText(text, max), cut)
  t.end()
})
