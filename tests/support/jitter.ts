/**
 * Delays immediate timers and responses at random by up to TEST_JITTER milliseconds, as a slow machine would: `TEST_JITTER=20 npm test`.
 * Finds tests that assert a result before it exists. Must be imported before any module that keeps a reference to a timer function.
 */
const mostMs = Number(process.env['TEST_JITTER'] ?? 0)
const start = globalThis.setTimeout
const randomMs = (most: number): number => (Math.random() < 0.5 ? 0 : Math.random() * most)

if (mostMs > 0)
  Object.assign(globalThis, {
    setImmediate: (run: () => void, ...args: unknown[]) => start(run, randomMs(mostMs), ...(args as [])),
    setTimeout: (run: () => void, ms = 0, ...args: unknown[]) =>
      start(run, ms <= 1 ? ms + randomMs(mostMs) : ms, ...(args as [])),
  })

/** Resolves to the response after a random delay, or immediately without TEST_JITTER. */
export async function jitter<Answer>(answer: Promise<Answer>): Promise<Answer> {
  const known = await answer
  if (mostMs > 0) await new Promise((resolve) => start(resolve, randomMs(4 * mostMs)))
  return known
}
