const escaped = (text: string) => text.replaceAll(/[\\%_]/g, String.raw`\$&`)

/** The pattern of `like` and `ilike` for this text anywhere, its own signs meaning themselves. */
export const containing = (text: string): string => `%${escaped(text)}%`

/** The pattern for this text and what follows it. */
export const beginningWith = (text: string): string => `${escaped(text)}%`

/** As {@link containing}, or undefined where a trigram index is no help: three letters or digits in a row are the least. */
export const containingTrigram = (text: string): string | undefined =>
  /[\p{L}\p{N}]{3}/u.test(text) ? containing(text) : undefined
