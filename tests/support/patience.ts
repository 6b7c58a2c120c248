/**
 * Milliseconds a test waits for an event before it fails. The only deadline in tests: long enough for a busy machine, and never
 * waited out by a passing test. TEST_PATIENCE multiplies it: `TEST_PATIENCE=3 npm test`.
 */
export const patienceMs = 120_000 * Number(process.env['TEST_PATIENCE'] ?? 1)
