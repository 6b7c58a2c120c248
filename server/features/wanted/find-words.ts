import { createHash } from 'node:crypto'
import type { FindQuery, FindRange, FindSale } from '#shared/find-query.ts'
import { formatMileage, formatMoney } from '#shared/format.ts'
import { traitLabels } from '#shared/vehicle-traits.ts'

const saleLabels: Record<FindSale, string> = {
  fixed: 'at a price',
  live: 'in a live auction',
  coming: 'auction to come',
}
const searchMax = 200

function rangeWords({ from, to }: FindRange, word: (value: number) => string): string {
  if (from !== undefined && to !== undefined) return from === to ? word(from) : `${word(from)} to ${word(to)}`
  if (from !== undefined) return `from ${word(from)}`
  return to === undefined ? '' : `up to ${word(to)}`
}

const any = (words: readonly string[]) => words.join(' or ')

/**
 * What a search of Find looks for, in words: `Ford F-150 XLT, 2019 to 2021, up to $30,000`. Empty where it has no filters. Two searches with
 * the same words look for the same.
 */
export function describeFind(query: FindQuery): string {
  const parts = [
    any(
      query.mmt.map((word) =>
        [word.make, word.model, word.trim]
          .flatMap((part) => (part === undefined ? [] : part || 'not stated'))
          .join(' '),
      ),
    ),
    rangeWords(query.year, String),
    rangeWords(query.price, (price) => formatMoney(price)),
    rangeWords(query.miles, formatMileage),
    query.near !== '' && query.within !== undefined ? `within ${query.within} mi of ${query.near}` : '',
    ...[query.body, query.drive, query.fuel].map((traits) => any(traits.map((trait) => traitLabels[trait]))),
    any(query.sale.map((sale) => saleLabels[sale])),
    query.connected ? 'from my network' : '',
    query.rating === undefined ? '' : `rated ${query.rating} and up`,
    query.photos ? 'with photos' : '',
  ]
  const words = parts.filter((part) => part !== '').join(', ')
  if (words.length <= searchMax) return words
  // What is cut off still tells two apart.
  const rest = createHash('sha256').update(words).digest('hex').slice(0, 6)
  return `${words.slice(0, searchMax - 10)}… (${rest})`
}
