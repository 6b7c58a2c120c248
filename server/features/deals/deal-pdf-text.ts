import { createRequire } from 'node:module'

const { resolve } = createRequire(import.meta.url)
const file = (style: string) => resolve(`@expo-google-fonts/arimo/${style}/Arimo_${style}.ttf`)

/** The faces by name, as the readers of PDFs have them: they end at Latin-1. */
const inner = { regular: 'Helvetica', bold: 'Helvetica-Bold', italic: 'Helvetica-Oblique' } as const

/** The same measures with the letters of all Europe, as files. */
const european = {
  regular: file('400Regular'),
  bold: file('700Bold'),
  italic: file('400Regular_Italic'),
} as const

type Face = keyof typeof inner

/** Where the faces come from. Reading the files takes half a second of the process: only for a text that needs them. */
export function facesFor(paper: object): Record<Face, string> {
  return /[\u0100-\uffff]/.test(JSON.stringify(paper)) ? european : inner
}

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
