import { contradictions } from './post-phrases.ts'
import type { Random } from './random.ts'

function barredBy(said: string): RegExp[] {
  return contradictions.flatMap(([one, other]) => [
    ...(one.test(said) ? [other] : []),
    ...(other.test(said) ? [one] : []),
  ])
}

function agreeing(phrases: readonly string[], said: string): string[] {
  const barred = barredBy(said)
  return phrases.filter((phrase) => !barred.some((bar) => bar.test(phrase)))
}

/** Picks a phrase that does not contradict the text, or returns undefined if there is none. */
export function pickAgreeing(random: Random, phrases: readonly string[], said: string): string | undefined {
  const fitting = agreeing(phrases, said)
  return fitting.length === 0 ? undefined : random.pick(fitting)
}
