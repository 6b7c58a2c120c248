import type { KnownDealer } from './known-dealers.ts'
import type { Random } from './random.ts'

/** What an admin or the operator has done, as it is recorded. */
export interface DeskAct {
  at: Date
  by: KnownDealer
  action: string
  subject: { kind: string; id: string; name: string }
  reason?: string
  before?: object
  after?: object
}

/** What the desk's acts are drawn and dated with. */
export interface Desk {
  random: Random
  now: Date
  admin: KnownDealer
  ops: KnownDealer
  /** Dealers without a name in the demo's story. */
  others: readonly KnownDealer[]
  acts: DeskAct[]
  ago: (hours: number) => Date
}
