/** Characters that PostgreSQL cannot store in text or JSON: NUL and lone surrogates. */
const unstorable = /\0|\p{Surrogate}/u
const everyUnstorable = new RegExp(unstorable, 'gu')

/** Removes characters that PostgreSQL cannot store. Use this for content that no user can fix, such as a linked file. */
export const toStorable = (text: string): string => text.replace(everyUnstorable, '')

/** Returns the JSON pointer of a string that cannot be stored, or undefined. Iterative, because the input may be deeply nested. */
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
