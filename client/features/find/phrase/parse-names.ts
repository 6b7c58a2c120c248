import type { FindWord } from '#shared/find-query.ts'
import { exclusionWords } from './grammar.ts'
import { type KnownName, keyOf, makesByKey, modelsByKey } from './vocabulary.ts'

const longestName = 4

/** False for words that cannot be part of a name: punctuation, and the placeholder characters of other text (see `markers` in parse.ts). */
const isOfName = (word: string): boolean => word === '&' || keyOf(word) !== ''

/** Returns the longest name that starts at index `at` and that `read` recognizes. */
function longest<Name>(words: readonly string[], at: number, read: (key: string) => Name | undefined) {
  for (let length = Math.min(longestName, words.length - at); length > 0; length -= 1) {
    const some = words.slice(at, at + length)
    const name = some.every(isOfName) ? read(keyOf(some.join(''))) : undefined
    if (name !== undefined) return { name, length }
  }
  return undefined
}

const connecting: ReadonlySet<string> = new Set(['or', 'and', '&', 'and/or', ','])

/** Words that may come between `no` and the name that it excludes. */
const exclusionJoiners: ReadonlySet<string> = new Set(['a', 'an', 'any', 'or', 'nor'])

function readName(key: string, make: string | undefined): FindWord | undefined {
  const singular = key.endsWith('s') ? key.slice(0, -1) : key
  const model = modelNamed(key, make) ?? modelNamed(singular, make)
  if (model) return { make: model.make, model: model.model }
  const named = makesByKey.get(key) ?? makesByKey.get(singular)
  return named === undefined ? undefined : { make: named }
}

/** Finds a model by name. A model of a make other than `make` is found only if the name is unambiguous. */
function modelNamed(key: string, make: string | undefined): KnownName | undefined {
  const known = modelsByKey.get(key) ?? []
  const [only, ...others] = known.filter(({ behindMake }) => !behindMake)
  return known.find((one) => one.make === make) ?? (others.length === 0 ? only : undefined)
}

/** Reads the trims that directly follow their model: `XLT`, `XLT or Lariat`. */
function readTrims(words: readonly string[], from: number, { make, model }: FindWord) {
  const known = modelsByKey.get(keyOf(model ?? ''))?.find((one) => one.make === make && one.model === model)
  const trims: string[] = []
  let end = from
  for (let at = from; at < words.length;) {
    const isLink = trims.length > 0 && connecting.has(words[at] ?? '')
    const begin = isLink ? at + 1 : at
    const found = longest(words, begin, (key) => known?.trims.find((trim) => keyOf(trim) === key))
    if (!found) break
    trims.push(found.name)
    at = begin + found.length
    end = at
  }
  return { trims, end }
}

/** Finds makes, models and trims in the text. Excluded names (`no Ford`) stay in `left`. */
export function readNames(text: string): { mmt: FindWord[]; left: string } {
  const words = text.replaceAll(/[,;]/g, ' , ').split(/\s+/).filter(Boolean)
  const left: string[] = []
  const mmt: FindWord[] = []
  let make: string | undefined
  let isUnwanted = false
  for (let at = 0; at < words.length;) {
    const found = longest(words, at, (key) => readName(key, make))
    if (!found) {
      const word = words[at] ?? ''
      left.push(word)
      isUnwanted = exclusionWords.has(word.toLowerCase()) || (isUnwanted && exclusionJoiners.has(word.toLowerCase()))
      at += 1
      continue
    }
    const { name: vehicle, length } = found
    const { trims, end } =
      vehicle.model === undefined ? { trims: [], end: at + length } : readTrims(words, at + length, vehicle)
    const named = words.slice(at, end)
    at = end
    if (isUnwanted) {
      left.push(...named)
      isUnwanted = exclusionJoiners.has(words[at]?.toLowerCase() ?? '')
      continue
    }
    make = vehicle.make
    mmt.push(...(trims.length > 0 ? trims.map((trim) => ({ ...vehicle, trim })) : [vehicle]))
  }
  // A make alone is not a filter if its model is named: `Ford F-150` does not mean every Ford.
  const withModels = new Set(mmt.filter(({ model }) => model !== undefined).map((one) => one.make))
  return {
    mmt: mmt.filter(({ make, model }) => model !== undefined || !withModels.has(make)),
    left: left.join(' '),
  }
}
