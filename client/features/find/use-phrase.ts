import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useSettled } from '#client/lib/use-settled.ts'
import { findSearch, type FindQuery } from '#shared/find-query.ts'
import { appliedOf, describeFind, isOpen } from '#shared/find-labels.ts'
import { withWords } from './find-known-words.ts'
import { type Phrase, readPhrase } from './find-phrase.ts'
import { findWordsQuery } from './find.api.ts'

const settleMs = 250

export const isSearch = (query: FindQuery): boolean => findSearch(query) !== ''

/** A range beside another filter: nobody looks for such words in a text, as for a model with its year. */
function isMeantAsFilters({ query }: Phrase): boolean {
  const { year, price, miles } = query
  const hasRange = !isOpen(price) || !isOpen(miles) || year.from !== year.to
  return hasRange && appliedOf(query).length > 1
}

export interface TypedPhrase extends Phrase {
  /** It can be nothing but a search for vehicles. Known at once, and does not change when the server answers. */
  isMeant: boolean
}

/**
 * What a typed text is as a search for vehicles: at once as far as it is known here, and with the makes, models and places that
 * only the server knows once it has said so. Undefined: no word of it is a filter.
 */
export function usePhrase(text: string): TypedPhrase | undefined {
  const phrase = useMemo(() => readPhrase(text), [text])
  const rest = useSettled(phrase.rest, settleMs)
  const words = useQuery({ ...findWordsQuery(rest), enabled: rest.length > 1 && rest === phrase.rest }).data
  const whole = words === undefined || rest !== phrase.rest ? phrase : withWords(phrase, words)
  return isSearch(whole.query) ? { ...whole, isMeant: isMeantAsFilters(phrase) } : undefined
}

/** `Find: Ford F-150, near Dallas, TX`, and where it leads. */
export const optionOf = ({ query, place, rest }: Phrase) => ({
  href: `/find?${findSearch(query)}`,
  label: `Find: ${describeFind(query, place)}`,
  detail: rest === '' ? '' : `Ignored “${rest}”`,
})
