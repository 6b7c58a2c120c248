/**
 * Milliseconds that a test waits for any event before it fails: the only deadline of the tests. A passing test never waits it out, so it is
 * long enough for a busy machine. TEST_PATIENCE multiplies it: `TEST_PATIENCE=3 npm test`.
 */
export const patienceMs = 120_000 * Number(process.env['TEST_PATIENCE'] ?? 1)
