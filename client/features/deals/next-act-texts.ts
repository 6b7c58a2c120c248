import type { NextAct } from '#shared/schemas/deals.ts'

/** Texts that name the action that a deal is waiting for, without a period. */
export const waitingTexts: Record<NextAct, (name: string) => string> = {
  answer: (name) => `Waiting for ${name}'s answer`,
  approve: (name) => `Waiting for ${name}'s approval`,
  mileage: (name) => `Waiting for ${name} to enter the mileage`,
  sign: (name) => `Waiting for ${name} to sign`,
  complete: (name) => `Waiting for ${name} to complete it`,
  review: (name) => `Waiting for ${name}'s review`,
}
