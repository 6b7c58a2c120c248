import { stateNames } from '#shared/places.ts'

/** Minimum length of words in which we tolerate one wrong letter. */
const forgivenFrom = 5

/** Matches a trailing state code that PostgreSQL drops as a stop word or reads as an operator. */
const swallowed = /(?:^|\s)(IN|OR|ME|ON)$/

/** Rewrites a search to match the index: removes the plural of `F-150s`, and spells out a trailing ambiguous state code. */
export function asIndexed(search: string): string {
  return search
    .replaceAll(/(?<![\p{L}\p{N}-])([a-z]{0,3}-?\d{1,4})s(?![\p{L}\p{N}-])/giu, '$1')
    .replace(swallowed, (code) => ` ${stateNames[code.trim() as keyof typeof stateNames]}`)
}

/** Returns the words of a search, and whether each may have a wrong letter. Empty if the search uses operators. */
export function wordsOf(search: string): { word: string; forgiven: boolean }[] {
  if (/["*]|(?:^|\s)(?:-|or(?:\s|$))/i.test(search)) return []
  const words = asIndexed(search)
    .split(/\s+/)
    .filter((word) => word !== '')
  return words.map((word) => ({ word, forgiven: word.length >= forgivenFrom && /^[a-z]+$/i.test(word) }))
}

/** Returns the possible spellings of a stem: `camri` stands for Camry, `dodg` for Dodge. */
const spellings = (stem: string): string[] => [
  stem,
  `${stem}e`,
  ...(stem.endsWith('i') ? [`${stem.slice(0, -1)}y`] : []),
]

/** True if a stem, or one of its spellings, differs from a search word by one letter. */
export const isNear = (stem: string, asked: readonly string[]): boolean =>
  !asked.includes(stem) && spellings(stem).some((word) => asked.some((one) => isOneOff(word, one)))

function isOneOff(a: string, b: string): boolean {
  const [long, short] = a.length >= b.length ? [a, b] : [b, a]
  if (a === b || long.length - short.length > 1) return false
  let from = 0
  while (from < short.length && long[from] === short[from]) from += 1
  return long.slice(from + 1) === short.slice(long.length > short.length ? from : from + 1)
}
