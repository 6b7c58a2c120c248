import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Test } from 'tap'

/** Runs per property. `PROPERTY_RUNS=500 npm test -- FILE` changes the number. */
export const propertyRuns = Number(process.env['PROPERTY_RUNS'] ?? 25)

/** `PROPERTY_SEED=7 npm test -- FILE` tries other values. The same seed repeats the same values. */
const seed = Number(process.env['PROPERTY_SEED'] ?? 20_261_121)

fc.configureGlobal({ numRuns: propertyRuns, seed })

/** Checks a property. A failure shows the smallest counterexample and the seed. */
export async function holds<T>(t: Test, property: fc.IRawProperty<T>): Promise<void> {
  const outcome = await fc.check(property)
  const report = outcome.failed ? await fc.asyncDefaultReportMessage(outcome) : undefined
  t.equal(report, undefined, 'the property holds')
}

const asJson = (value: unknown): unknown => value && JSON.parse(JSON.stringify(value))

/** Compares as JSON, which ignores undefined fields. @throws if the values differ */
export const sameJson = (found: unknown, wanted: unknown, message?: string): void =>
  assert.deepEqual(asJson(found), asJson(wanted), message)
