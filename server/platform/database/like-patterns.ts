import { findsParts } from '#shared/search.ts'

const escaped = (text: string) => text.replaceAll(/[\\%_]/g, String.raw`\$&`)

export const containing = (text: string): string => `%${escaped(text)}%`

export const beginningWith = (text: string): string => `${escaped(text)}%`

/** Returns an `ilike` pattern, or undefined if the text is too short for a trigram index to speed up the search. */
export const containingTrigram = (text: string): string | undefined => (findsParts(text) ? containing(text) : undefined)

/** Matches the start of the text or an ASCII separator. Non-ASCII characters here would prevent use of the trigram index. */
const wordStart = '(^|[ -/:-@[-`{-~])'

/** Returns a `~*` pattern for words that begin with `text`. A trigram index speeds up the search even for a single letter. */
export const startingWord = (text: string): string => wordStart + text.replaceAll(/[!-/:-@[-`{-~]/g, String.raw`\$&`)
