/** The usual deadline in tests, in ms. It is long enough for a busy machine. `TEST_PATIENCE=3 npm test` multiplies it. */
export const patienceMs = 120_000 * Number(process.env['TEST_PATIENCE'] ?? 1)
