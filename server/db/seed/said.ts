import { contradictions } from './post-phrases.ts'
import type { Random } from './random.ts'

/** Whether both can be true. */
export const agrees = (said: string, phrase: string): boolean =>
  contradictions.every(
    ([one, other]) => !(one.test(said) && other.test(phrase)) && !(other.test(said) && one.test(phrase)),
  )

/** One of the phrases that agree with what has been said; where none does, none. */
export function pickAgreeing(random: Random, phrases: readonly string[], said: string): string | undefined {
  const fitting = phrases.filter((phrase) => agrees(said, phrase) && agrees(phrase, phrase))
  return fitting.length === 0 ? undefined : random.pick(fitting)
}
