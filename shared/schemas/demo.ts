import Type, { type Static } from 'typebox'
import { Id, Nullable } from '#shared/values.ts'

/** Steps that a visitor of the demo has done since signing in, as far as the server can see them. */
export const DemoSteps = Type.Object({
  bid: Type.Boolean(),
  /** Sent a message to the second dealer. */
  answered: Type.Boolean(),
  posted: Type.Boolean(),
  /** Somebody at this address signed in as the demo's ops account, which lands on the queues. */
  queues: Type.Boolean(),
  /** The demo dealer to play in a second browser. */
  second: Type.Object({ id: Id, name: Type.String(), email: Type.String() }),
  /** The email address of the demo's ops account. */
  ops: Type.String(),
})
export type DemoSteps = Static<typeof DemoSteps>

/** Null for accounts without steps: staff, real dealers, and the second dealer. */
export const DemoStepsAnswer = Nullable(DemoSteps)
