import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useDebounced } from '#client/lib/form/use-debounced.ts'
import { findSearch, type FindQuery } from '#shared/find-query.ts'
import { appliedOf, describeFind, isOpen } from '#shared/find-labels.ts'
import { withWords } from './add-server-words.ts'
import { type OwnPlace, type Phrase, readPhrase } from './parse.ts'
import { findWordsQuery } from '../find.api.ts'

const settleMs = 250

export const isSearch = (query: FindQuery): boolean => findSearch(query) !== ''

/** True if the phrase has a range and another filter. Nobody would search the feed for such a phrase. */
function canOnlyMeanVehicles({ query, rest }: Phrase): boolean {
  const { year, price, miles } = query
  const hasRange = !isOpen(price) || !isOpen(miles) || year.from !== year.to
  return hasRange && (appliedOf(query).length > 1 || (!isOpen(miles) && rest === ''))
}

export interface TypedPhrase extends Phrase {
  /** True if the text can only be a vehicle search. Does not change when the server responds. */
  isOnlyVehicles: boolean
}

/**
 * Parses the text with the built-in names first, then with names from the server. Returns undefined if no word is a filter.
 * @param home the dealer's own location, if it is already known. Otherwise the server returns it with the names.
 */
export function usePhrase(text: string, home?: OwnPlace): TypedPhrase | undefined {
  const phrase = useMemo(() => readPhrase(text, home), [text, home])
  const rest = useDebounced(phrase.rest, settleMs)
  const words = useQuery({ ...findWordsQuery(rest), enabled: rest.length > 1 && rest === phrase.rest }).data
  const whole =
    words === undefined || rest !== phrase.rest ? phrase : withWords(readPhrase(text, home ?? words.home), words)
  return isSearch(whole.query) ? { ...whole, isOnlyVehicles: canOnlyMeanVehicles(phrase) } : undefined
}

const noHome = 'Your profile has no ZIP or postal code that we recognize'

export const optionOf = ({ query, place, rest, lacksHome }: Phrase) => ({
  href: `/find?${findSearch(query)}`,
  label: `Find: ${describeFind(query, place)}`,
  detail: [rest === '' ? '' : `Ignored “${rest}”`, lacksHome ? noHome : ''].filter(Boolean).join('. '),
})
