import type { ChatMessageEvent } from '#shared/events/messaging.ts'

export interface MessageFacts {
  'message.sent': ChatMessageEvent & { dealerIds: string[] }
}
