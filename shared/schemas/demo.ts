import Type, { type Static } from 'typebox'
import { Id, Nullable } from '#shared/values.ts'

/** Steps that a visitor to the demo has completed since signing in, as far as the server can tell. */
export const DemoSteps = Type.Object({
  bid: Type.Boolean(),
  /** True if the visitor has sent a message to the second dealer. */
  answered: Type.Boolean(),
  posted: Type.Boolean(),
  /** True if somebody at the visitor's IP address signed in as the demo's ops account. Its first page shows the queues. */
  queues: Type.Boolean(),
  /** The demo dealer as whom visitors can sign in with a second browser. */
  second: Type.Object({ id: Id, name: Type.String(), email: Type.String() }),
  ops: Type.String(),
})
export type DemoSteps = Static<typeof DemoSteps>

/** Null for accounts without these steps: staff, real dealers and the second dealer. */
export const DemoStepsAnswer = Nullable(DemoSteps)
