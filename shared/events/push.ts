import Type from 'typebox'
import type { Ack } from './control.ts'

/** Payload of `active`, which reports that the dealer has used a visible, focused tab in the last 60 seconds. */
export const Active = Type.Object({}, { additionalProperties: false })

export interface PushCommands {
  /** Sent at most every 30 seconds. While a dealer is active, push messages to the dealer are held back. */
  active: (active: Record<string, never>, ack: (answer: Ack) => void) => void
}
