/** Values of characters for the check digit (49 CFR 565.15(c), table III). I, O and Q have none, because no VIN contains them. */
export const vinValues: ReadonlyMap<string, number> = new Map([
  ...[...'0123456789'].map((character) => [character, Number(character)] as const),
  ...[...'ABCDEFGH'].map((character, index) => [character, index + 1] as const),
  ...[...'JKLMN'].map((character, index) => [character, index + 1] as const),
  ['P', 7],
  ['R', 9],
  ...[...'STUVWXYZ'].map((character, index) => [character, index + 2] as const),
])

/** Weights of the 17 positions (49 CFR 565.15(c), table IV). The 9th position, the check digit itself, has the weight 0. */
export const vinWeights: readonly number[] = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2]

/** Letters that stand for model years, in order. I, O, Q, U and Z are not used. */
export const vinYearCodes = 'ABCDEFGHJKLMNPRSTVWXY'
