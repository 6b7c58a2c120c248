import { stateNames } from '#shared/places.ts'

/** Minimum length of words in which a wrong letter is tolerated. */
const forgivenFrom = 5

/** State codes that PostgreSQL drops as stop words or reads as an operator. */
const swallowed = /(?:^|\s)(IN|OR|ME|ON)$/

/** Matches a search to the index: strips the plural of `F-150s`, and spells out a trailing ambiguous state code. */
export function asIndexed(search: string): string {
  return search
    .replaceAll(/(?<![\p{L}\p{N}-])([a-z]{0,3}-?\d{1,4})s(?![\p{L}\p{N}-])/giu, '$1')
    .replace(swallowed, (code) => ` ${stateNames[code.trim() as keyof typeof stateNames]}`)
}

/** Words of a search, each with whether a wrong letter is tolerated; none if it uses operators. */
export function wordsOf(search: string): { word: string; forgiven: boolean }[] {
  if (/["*]|(?:^|\s)(?:-|or(?:\s|$))/i.test(search)) return []
  const words = asIndexed(search)
    .split(/\s+/)
    .filter((word) => word !== '')
  return words.map((word) => ({ word, forgiven: word.length >= forgivenFrom && /^[a-z]+$/i.test(word) }))
}

/** Possible spellings of a stem: `camri` stands for Camry, `dodg` for Dodge. */
const spellings = (stem: string): string[] => [
  stem,
  `${stem}e`,
  ...(stem.endsWith('i') ? [`${stem.slice(0, -1)}y`] : []),
]

/** True if a stem, or a spelling of it, differs by one letter from a search word. */
export const isNear = (stem: string, asked: readonly string[]): boolean =>
  !asked.includes(stem) && spellings(stem).some((word) => asked.some((one) => isOneOff(word, one)))

function isOneOff(a: string, b: string): boolean {
  const [long, short] = a.length >= b.length ? [a, b] : [b, a]
  if (a === b || long.length - short.length > 1) return false
  let from = 0
  while (from < short.length && long[from] === short[from]) from += 1
  return long.slice(from + 1) === short.slice(long.length > short.length ? from : from + 1)
}
