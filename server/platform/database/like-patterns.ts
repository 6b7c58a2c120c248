import { findsParts } from '#shared/search.ts'

const escaped = (text: string) => text.replaceAll(/[\\%_]/g, String.raw`\$&`)

/** Returns a `like`/`ilike` pattern for text that contains `text`, with wildcards escaped. */
export const containing = (text: string): string => `%${escaped(text)}%`

export const beginningWith = (text: string): string => `${escaped(text)}%`

/** Like {@link containing}, but returns undefined if a trigram index cannot speed up the search. */
export const containingTrigram = (text: string): string | undefined => (findsParts(text) ? containing(text) : undefined)

/** Pattern for the start of the text or a character before a word. Non-ASCII characters here would prevent use of the trigram index. */
const wordStart = '(^|[ -/:-@[-`{-~])'

/** Returns a `~*` pattern for words that begin with `text`. A trigram index speeds it up even for a single letter. */
export const startingWord = (text: string): string => wordStart + text.replaceAll(/[!-/:-@[-`{-~]/g, String.raw`\$&`)
