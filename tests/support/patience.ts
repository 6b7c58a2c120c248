/**
 * Milliseconds a test waits for an event before it fails. This is the only deadline in tests. It is long enough for a busy machine, and a
 * passing test never waits that long. TEST_PATIENCE multiplies it: `TEST_PATIENCE=3 npm test`.
 */
export const patienceMs = 120_000 * Number(process.env['TEST_PATIENCE'] ?? 1)
