/**
 * Values of the VIN's characters and weights of its positions for the check digit (49 CFR 565.15(c), tables III and IV;
 * the same arithmetic ISO 3779 leaves to North America). I, O and Q have no value: they are never part of a VIN.
 */
export const vinValues: ReadonlyMap<string, number> = new Map([
  ...[...'0123456789'].map((character) => [character, Number(character)] as const),
  ...[...'ABCDEFGH'].map((character, index) => [character, index + 1] as const),
  ...[...'JKLMN'].map((character, index) => [character, index + 1] as const),
  ['P', 7],
  ['R', 9],
  ...[...'STUVWXYZ'].map((character, index) => [character, index + 2] as const),
])

/** The 9th position is the check digit itself and weighs nothing. */
export const vinWeights: readonly number[] = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2]

/** Model-year letters in order; I, O, Q, U and Z are not used for years. */
export const vinYearCodes = 'ABCDEFGHJKLMNPRSTVWXY'
