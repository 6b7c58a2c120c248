const pollMs = 10

/**
 * Resolves once the condition holds, with what it answered.
 * @throws when it does not within the time: the message says what was waited for.
 */
export async function until<T>(
  what: string,
  condition: () => T | Promise<T>,
  withinMs = 120_000,
): Promise<NonNullable<T>> {
  const end = Date.now() + withinMs
  for (;;) {
    const value = await condition()
    if (value !== undefined && value !== null && value !== false) return value
    if (Date.now() > end) throw new Error(`waited ${withinMs} ms for ${what}`)
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}
