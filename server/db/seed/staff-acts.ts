import type { KnownDealer } from './known-dealers.ts'
import type { Random } from './random.ts'

export interface StaffAct {
  at: Date
  by: KnownDealer
  action: string
  subject: { kind: string; id: string; name: string }
  reason?: string
  before?: object
  after?: object
}

export interface StaffStage {
  random: Random
  now: Date
  admin: KnownDealer
  ops: KnownDealer
  /** Dealers that have no role in the demo story. */
  others: readonly KnownDealer[]
  acts: StaffAct[]
  ago: (hours: number) => Date
}
