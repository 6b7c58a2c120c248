import { findsParts } from '#shared/search.ts'

const escaped = (text: string) => text.replaceAll(/[\\%_]/g, String.raw`\$&`)

/** `like`/`ilike` pattern for text that contains this text, with wildcards escaped. */
export const containing = (text: string): string => `%${escaped(text)}%`

export const beginningWith = (text: string): string => `${escaped(text)}%`

/** Like {@link containing}, but undefined if a trigram index cannot help. */
export const containingTrigram = (text: string): string | undefined => (findsParts(text) ? containing(text) : undefined)

/** Characters before a word. Non-ASCII characters here would prevent use of the trigram index. */
const wordStart = '(^|[ -/:-@[-`{-~])'

/** `~*` pattern for words that begin with this text. A trigram index supports it from the first letter on. */
export const startingWord = (text: string): string => wordStart + text.replaceAll(/[!-/:-@[-`{-~]/g, String.raw`\$&`)
