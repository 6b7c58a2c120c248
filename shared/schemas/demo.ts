import Type, { type Static } from 'typebox'
import { Id, Nullable } from '#shared/values.ts'

/** Steps that a demo visitor has completed since signing in, as far as the server can see them. */
export const DemoSteps = Type.Object({
  bid: Type.Boolean(),
  /** True if the visitor sent a message to the second dealer. */
  answered: Type.Boolean(),
  posted: Type.Boolean(),
  /** True if somebody at the visitor's IP address signed in as the demo's ops account, whose first page shows the queues. */
  queues: Type.Boolean(),
  /** The demo dealer for signing in with a second browser. */
  second: Type.Object({ id: Id, name: Type.String(), email: Type.String() }),
  ops: Type.String(),
})
export type DemoSteps = Static<typeof DemoSteps>

/** Null for accounts without these steps: staff, real dealers, and the second dealer. */
export const DemoStepsAnswer = Nullable(DemoSteps)
