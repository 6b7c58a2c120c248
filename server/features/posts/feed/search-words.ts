import { stateNames } from '#shared/places.ts'

const typoMinLength = 5

/** PostgreSQL drops these state codes as stop words, or reads them as operators, when they end a search. */
const trailingState = /(?:^|\s)(IN|OR|ME|ON)$/

/** Adapts a search to the index: `F-150s` becomes `F-150`, and a state code from `trailingState` becomes the state's name. */
export function asIndexed(search: string): string {
  return search
    .replaceAll(/(?<![\p{L}\p{N}-])([a-z]{0,3}-?\d{1,4})s(?![\p{L}\p{N}-])/giu, '$1')
    .replace(trailingState, (code) => ` ${stateNames[code.trim() as keyof typeof stateNames]}`)
}

/** Returns the words of a search. `forgiven` words may have one wrong letter. Empty if the search uses operators. */
export function wordsOf(search: string): { word: string; forgiven: boolean }[] {
  if (/["*]|(?:^|\s)(?:-|or(?:\s|$))/i.test(search)) return []
  const words = asIndexed(search)
    .split(/\s+/)
    .filter((word) => word !== '')
  return words.map((word) => ({ word, forgiven: word.length >= typoMinLength && /^[a-z]+$/i.test(word) }))
}

/** Restores the endings that stemming removes: `camri` may be Camry, and `dodg` may be Dodge. */
const spellings = (stem: string): string[] => [
  stem,
  `${stem}e`,
  ...(stem.endsWith('i') ? [`${stem.slice(0, -1)}y`] : []),
]

/** True if the stem differs from a search word by one letter. */
export const isNear = (stem: string, asked: readonly string[]): boolean =>
  !asked.includes(stem) && spellings(stem).some((word) => asked.some((one) => differsByOneLetter(word, one)))

function differsByOneLetter(a: string, b: string): boolean {
  const [long, short] = a.length >= b.length ? [a, b] : [b, a]
  if (a === b || long.length - short.length > 1) return false
  let from = 0
  while (from < short.length && long[from] === short[from]) from += 1
  return long.slice(from + 1) === short.slice(long.length > short.length ? from : from + 1)
}
