import { createRequire } from 'node:module'

const { resolve } = createRequire(import.meta.url)
const file = (style: string) => resolve(`@expo-google-fonts/arimo/${style}/Arimo_${style}.ttf`)

/** The measures of Helvetica with the letters of all Europe, as files: the fonts inside of PDF readers end at Latin-1. */
export const faces = {
  regular: file('400Regular'),
  bold: file('700Bold'),
  italic: file('400Regular_Italic'),
} as const

const unknown =
  /(?:[^\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}]|\p{Emoji_Presentation}|\u200d|\ufe0f)+/gu
const blank = '\u25a1'

/** Composed, with a box for what the faces cannot draw: left in, other scripts would also turn the order of the line. */
function legibleText(text: string): string {
  return text.normalize('NFC').replace(unknown, blank)
}

/** The same, with every text in it made legible. */
export function legible<Value>(value: Value): Value {
  if (typeof value === 'string') return legibleText(value) as Value
  if (Array.isArray(value)) return value.map(legible) as Value
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, legible(part)])) as Value
}
