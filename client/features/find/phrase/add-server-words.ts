import { type FindQuery, readFind, writeFind } from '#shared/find-query.ts'
import type { FindWords } from '#shared/schemas/find.ts'
import { exclusionWords } from './grammar.ts'
import type { Phrase } from './parse.ts'

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[\s,;]+/)
    .filter(Boolean)

const beforePlaces: ReadonlySet<string> = new Set(['near', 'in', 'around', 'from'])

/** A name is ignored if a word such as `without` precedes it by at most this many words: missing a name is better than misreading one. */
const unwantedWithin = 4
const isUnwanted = (words: readonly string[], from: number): boolean => {
  const within = beforePlaces.has(words[from - 1] ?? '') ? 2 : unwantedWithin
  return words.slice(Math.max(0, from - within), from).some((word) => exclusionWords.has(word))
}

function placeIn(words: readonly string[], name: string): [number, number] | undefined {
  const some = wordsOf(name)
  const at = words.findIndex((_word, from) => some.every((one, index) => words[from + index] === one))
  return at < 0 || isUnwanted(words, at) || some.length === 0 ? undefined : [at, at + some.length]
}

/** Finds a city. Requires its state or a word such as `near` next to it, because `nice` could also be the city Nice, CA. */
function cityIn(words: readonly string[], hit: FindWords['places'][number]): [number, number] | undefined {
  const found = placeIn(words, hit.words)
  if (found === undefined) return undefined
  const [from, to] = found
  const region = hit.region.toLowerCase()
  const isBehind = beforePlaces.has(words[from - 1] ?? '')
  const hasRegion = words[to] === region
  if (!isBehind && !hasRegion && words[to - 1] !== region) return undefined
  return [isBehind ? from - 1 : from, hasRegion ? to + 1 : to]
}

/** Adds filters for words that only the server knows: a place, makes and models. Skips names that several makes share. */
export function withWords(phrase: Phrase, { vehicles, places }: FindWords): Phrase {
  let words = wordsOf(phrase.rest)
  let { place } = phrase
  const found: Pick<FindQuery, 'near' | 'mmt'> = { near: phrase.query.near, mmt: [...phrase.query.mmt] }
  const take = (span: [number, number] | undefined): boolean => {
    if (span !== undefined) words = [...words.slice(0, span[0]), ...words.slice(span[1])]
    return span !== undefined
  }
  const longestFirst = <Hit extends { words: string }>(hits: readonly Hit[]) =>
    hits.toSorted((a, b) => wordsOf(b.words).length - wordsOf(a.words).length)
  for (const hit of longestFirst(places)) {
    if (found.near !== '' || !take(cityIn(words, hit))) continue
    found.near = hit.code
    place = hit.region === '' ? hit.city : `${hit.city}, ${hit.region}`
  }
  for (const { words: named, make, model, trim } of longestFirst(vehicles)) {
    // Skip trims, because many models can have a trim with the same name.
    const isOnly =
      trim === null && vehicles.every((one) => one.words !== named || one.trim !== null || one.make === make)
    if (isOnly && take(placeIn(words, named))) found.mmt.push({ make, ...(model !== null && { model }) })
  }
  return { ...phrase, query: readFind(writeFind({ ...phrase.query, ...found })), place, rest: words.join(' ') }
}
