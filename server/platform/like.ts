import { findsParts } from '#shared/search.ts'

const escaped = (text: string) => text.replaceAll(/[\\%_]/g, String.raw`\$&`)

/** The pattern of `like` and `ilike` for this text anywhere, its own signs meaning themselves. */
export const containing = (text: string): string => `%${escaped(text)}%`

/** The pattern for this text and what follows it. */
export const beginningWith = (text: string): string => `${escaped(text)}%`

/** As {@link containing}, or undefined where a trigram index is no help. */
export const containingTrigram = (text: string): string | undefined => (findsParts(text) ? containing(text) : undefined)

/** What stands before a word. Signs beyond ASCII would keep the trigram index out. */
const wordStart = '(^|[ -/:-@[-`{-~])'

/** The pattern of `~*` for words that begin with this text: a trigram index serves it from the first letter on. */
export const startingWord = (text: string): string => wordStart + text.replaceAll(/[!-/:-@[-`{-~]/g, String.raw`\$&`)
