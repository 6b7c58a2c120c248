/** NUL, and half of a surrogate pair: PostgreSQL stores them in no text and reads them in no JSON. */
const unstorable = /\0|\p{Surrogate}/u
const everyUnstorable = new RegExp(unstorable, 'gu')

/** The text without what cannot be stored: for what nobody is there to be told of, as in a file behind a link. */
export const toStorable = (text: string): string => text.replace(everyUnstorable, '')

/**
 * Where in a value there is a text that cannot be stored, as a JSON pointer; of a key, the object that has it. Undefined
 * where there is none. Nothing is followed by recursion: what somebody sends may be nested as deep as it is long.
 */
export function findUnstorable(value: unknown): string | undefined {
  const waiting: [value: unknown, path: string][] = [[value, '']]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [found, path] = next
    if (typeof found === 'string' && unstorable.test(found)) return path
    if (typeof found !== 'object' || found === null) continue
    for (const [key, inner] of Object.entries(found)) {
      if (unstorable.test(key)) return path
      waiting.push([inner, `${path}/${key}`])
    }
  }
  return undefined
}
