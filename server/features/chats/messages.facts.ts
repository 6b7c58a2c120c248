import type { ChatMessageEvent } from '#shared/events/messaging.ts'

export interface MessageFacts {
  'message.sent': ChatMessageEvent & { dealerIds: string[] }
  /** A stored message says something else now: it was hidden, or shown again. */
  'message.changed': ChatMessageEvent & { dealerIds: string[] }
}
