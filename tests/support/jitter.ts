/** `TEST_JITTER=20 npm test` delays timers, to find tests that assert too early. Import it before any module that copies `setTimeout`. */
const mostMs = Number(process.env['TEST_JITTER'] ?? 0)
const start = globalThis.setTimeout
const randomMs = (most: number): number => (Math.random() < 0.5 ? 0 : Math.random() * most)

let lastDueMs = 0
/** Returns a random delay. A timer never fires before an earlier one, because immediate timers run in order. */
function delayMs(): number {
  const nowMs = performance.now()
  lastDueMs = Math.max(lastDueMs, nowMs + randomMs(mostMs))
  return lastDueMs - nowMs
}

if (mostMs > 0)
  Object.assign(globalThis, {
    setImmediate: (run: () => void, ...args: unknown[]) => start(run, delayMs(), ...(args as [])),
    setTimeout: (run: () => void, ms = 0, ...args: unknown[]) => start(run, ms <= 1 ? delayMs() : ms, ...(args as [])),
  })

export async function jitter<Answer>(answer: Promise<Answer>): Promise<Answer> {
  const known = await answer
  if (mostMs > 0) await new Promise((resolve) => start(resolve, randomMs(4 * mostMs)))
  return known
}
