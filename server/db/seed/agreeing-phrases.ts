import { contradictions } from './post-phrases.ts'
import type { Random } from './random.ts'

function barredBy(written: string): RegExp[] {
  return contradictions.flatMap(([one, other]) => [
    ...(one.test(written) ? [other] : []),
    ...(other.test(written) ? [one] : []),
  ])
}

function agreeing(phrases: readonly string[], written: string): string[] {
  const barred = barredBy(written)
  return phrases.filter((phrase) => !barred.some((bar) => bar.test(phrase)))
}

/** Picks a phrase that does not contradict the text `written`. Returns undefined if every phrase does. */
export function pickAgreeing(random: Random, phrases: readonly string[], written: string): string | undefined {
  const fitting = agreeing(phrases, written)
  return fitting.length === 0 ? undefined : random.pick(fitting)
}
