import { stateNames } from '#shared/places.ts'

/** A wrong letter is looked past in words from so many letters on. */
const forgivenFrom = 5

/** Codes that a search takes for a word without meaning, or for its operator. */
const swallowed = /(?:^|\s)(IN|OR|ME|ON)$/

/**
 * A search as the index has its words: `F-150s` is a plural of what has no stem, and a state's code that reads like a small
 * word is one where places stand, at the end.
 */
export function asIndexed(search: string): string {
  return search
    .replaceAll(/(?<![\p{L}\p{N}-])([a-z]{0,3}-?\d{1,4})s(?![\p{L}\p{N}-])/giu, '$1')
    .replace(swallowed, (code) => ` ${stateNames[code.trim() as keyof typeof stateNames]}`)
}

/** The words of a search that may be looked past, each with whether a wrong letter in it is; none where it uses operators. */
export function wordsOf(search: string): { word: string; forgiven: boolean }[] {
  if (/["*]|(?:^|\s)(?:-|or(?:\s|$))/i.test(search)) return []
  const words = asIndexed(search)
    .split(/\s+/)
    .filter((word) => word !== '')
  return words.map((word) => ({ word, forgiven: word.length >= forgivenFrom && /^[a-z]+$/i.test(word) }))
}

/** A word as it is written, of which the index keeps the stem: `camri` stands for Camry, `dodg` for Dodge. */
const spellings = (stem: string): string[] => [
  stem,
  `${stem}e`,
  ...(stem.endsWith('i') ? [`${stem.slice(0, -1)}y`] : []),
]

/** Whether the stem is of a word that is one letter off what was asked for, by its own stem or as it is written. */
export const isNear = (stem: string, asked: readonly string[]): boolean =>
  !asked.includes(stem) && spellings(stem).some((word) => asked.some((one) => isOneOff(word, one)))

/** Whether one letter is wrong, missing or too many. */
function isOneOff(a: string, b: string): boolean {
  const [long, short] = a.length >= b.length ? [a, b] : [b, a]
  if (a === b || long.length - short.length > 1) return false
  let from = 0
  while (from < short.length && long[from] === short[from]) from += 1
  return long.slice(from + 1) === short.slice(long.length > short.length ? from : from + 1)
}
