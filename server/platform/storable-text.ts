/** NUL and lone surrogates: PostgreSQL can store them neither in text nor in JSON. */
const unstorable = /\0|\p{Surrogate}/u
const everyUnstorable = new RegExp(unstorable, 'gu')

/** Removes characters that cannot be stored, for content whose author cannot be asked to fix it, such as a linked file. */
export const toStorable = (text: string): string => text.replace(everyUnstorable, '')

/** JSON pointer of the first text that cannot be stored, or undefined. Iterative: input may be deeply nested. */
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
