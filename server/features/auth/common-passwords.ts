import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'
import { passwordMin } from '#shared/constants/auth.ts'

/** About 49,000 of the most used passwords, in lowercase. */
const common = new Set(dictionary['passwords-common'])

/** Words that an attacker would try on car dealers, and the best-known passphrase. */
const added = new Set(
  `lanewire lanewirepassword dealership cardealer cardealership usedcar usedcars autodealer autosales wholesale carauction
  autoauction manheim adesa openlane correcthorsebatterystaple`.split(/\s+/),
)

const isWord = (text: string): boolean => common.has(text) || added.has(text)

const swaps: Record<string, string> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  '5': 's',
  $: 's',
  '7': 't',
}

const notLetters = /[^\p{L}]/gu
const withoutEnds = (text: string): string => text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
const unswapped = (text: string): string => text.replace(/[@431!05$7]/g, (sign) => swaps[sign] ?? sign)

/** Returns the shortest repeated part: `abc` for `abcabcabc`. */
function unitOf(text: string): string {
  const again = `${text}${text}`.indexOf(text, 1)
  return text.slice(0, again)
}

const wordMax = 14

/** Matches one word and a year, in either order and with any punctuation: `Springfield2026!`. */
const isWordAndYear = (password: string): boolean => {
  const [, before = '', after = ''] =
    /^[^\p{L}\d]*(\p{L}+)[^\p{L}\d]*(?:19|20)\d\d[^\p{L}\d]*$|^[^\p{L}\d]*(?:19|20)\d\d[^\p{L}\d]*(\p{L}+)[^\p{L}\d]*$/u.exec(
      password,
    ) ?? []
  const word = before || after
  return word !== '' && word.length <= wordMax
}

const codeOf = (sign: string): number => sign.codePointAt(0) ?? 0
/** For each key, its neighbors on common keyboards. `qQ` is a single key. */
const keyboards: readonly Record<string, readonly (string | null)[]>[] = [
  adjacencyGraphs.qwerty,
  adjacencyGraphs.qwertz,
  adjacencyGraphs.azerty,
  adjacencyGraphs.keypad,
]

/** Predictable steps between two characters: along the alphabet or the digits, or to a neighboring key. */
const steps: readonly ((from: string, to: string) => boolean)[] = [
  ...[-1, 0, 1].map((step) => (from: string, to: string) => codeOf(to) - codeOf(from) === step),
  ...keyboards.map(
    (keyboard) => (from: string, to: string) => keyboard[from]?.some((key) => key?.includes(to)) === true,
  ),
]

const runMin = 3
const outsideRunsMin = 4

/** True if nearly all characters follow the keyboard, alphabet or digits: `1qaz2wsx3edc`, `98765432109a`. */
function isWalk(password: string): boolean {
  const signs = [...password]
  const runFrom = (start: number): number =>
    Math.max(
      ...steps.map((isStep) => {
        const rest = signs.slice(start)
        const end = rest.findIndex((sign, index) => index > 0 && !isStep(rest[index - 1] ?? '', sign))
        return end === -1 ? rest.length : end
      }),
    )
  let outside = 0
  for (let at = 0; at < signs.length && outside < outsideRunsMin;) {
    const run = runFrom(at)
    if (run < runMin) outside += 1
    at += run < runMin ? 1 : run
  }
  return outside < outsideRunsMin
}

function* coresOf(lower: string): Generator<string> {
  for (const text of [lower, withoutEnds(lower), lower.replace(notLetters, '')]) {
    yield unitOf(text)
    yield unitOf(unswapped(text).replace(notLetters, ''))
  }
}

/** True if an attacker would try the password early. @param password in NFC */
export function isCommonPassword(password: string, email: string): boolean {
  const lower = password.toLowerCase()
  const name = (email.toLowerCase().split('@')[0] ?? '').replace(notLetters, '')
  return (
    new Set(lower).size < 5 ||
    unitOf(lower).length < passwordMin ||
    isWalk(lower) ||
    isWordAndYear(lower) ||
    [...coresOf(lower)].some((core) => isWord(core) || (name.length > 2 && core === name))
  )
}
