import type { DemoDealer } from './dealers.ts'
import { idAt } from './ids.ts'
import type { Random } from './random.ts'

export const dayMs = 24 * 3_600_000

export interface KnownDealer extends DemoDealer {
  id: string
  joinedAt: Date
  /** Relative trade volume, from 0 to 320. It determines the number of past sales. */
  trade: number
  rating: number
  ratingCount: number
}

export function introduce(random: Random, dealer: DemoDealer, now: Date): KnownDealer {
  const joinedAt = new Date(now.getTime() - random.int(40, 900) * dayMs)
  return {
    ...dealer,
    id: idAt(random, joinedAt),
    joinedAt,
    trade: Math.round(random.next() ** 2 * 320),
    rating: Math.round((4.85 - random.next() ** 2 * 1.1) * 100) / 100,
    ratingCount: random.int(4, 160),
  }
}

export function findKnown(dealers: readonly KnownDealer[], email: string): KnownDealer {
  const dealer = dealers.find((candidate) => candidate.email === email)
  if (!dealer) throw new Error(`the demo has no ${email}`)
  return dealer
}
