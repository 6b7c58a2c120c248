import { contradictions } from './post-phrases.ts'
import type { Random } from './random.ts'

/** What cannot be said any more, once this has been. */
function barredBy(said: string): RegExp[] {
  return contradictions.flatMap(([one, other]) => [
    ...(one.test(said) ? [other] : []),
    ...(other.test(said) ? [one] : []),
  ])
}

/** Those of the phrases that can be true beside what has been said. */
function agreeing(phrases: readonly string[], said: string): string[] {
  const barred = barredBy(said)
  return phrases.filter((phrase) => !barred.some((bar) => bar.test(phrase)))
}

/** One of them; where none agrees, none. */
export function pickAgreeing(random: Random, phrases: readonly string[], said: string): string | undefined {
  const fitting = agreeing(phrases, said)
  return fitting.length === 0 ? undefined : random.pick(fitting)
}
