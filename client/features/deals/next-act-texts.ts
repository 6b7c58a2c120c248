import type { NextAct } from '#shared/schemas/deals.ts'

/** Texts about the other party's next action, without a period, so that callers can continue the sentence. */
export const waitingTexts: Record<NextAct, (name: string) => string> = {
  answer: (name) => `Waiting for ${name}'s answer`,
  approve: (name) => `Waiting for ${name}'s approval`,
  mileage: (name) => `Waiting for ${name} to enter the mileage`,
  sign: (name) => `Waiting for ${name} to sign`,
  complete: (name) => `Waiting for ${name} to complete it`,
  review: (name) => `Waiting for ${name}'s review`,
}
