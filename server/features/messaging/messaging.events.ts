import type { ChatMessageEvent } from '#shared/events/messaging.ts'

export interface ChatDomainEvents {
  /** A member has read up to `seq`; `otherId` is set where the other may know. */
  'chat.read': { chatId: string; dealerId: string; seq: number; otherId: string | undefined }
  'chat.typing': { chatId: string; dealerId: string }
  /** One of the two has blocked the other. */
  'chat.blocked': { between: readonly [string, string] }
}

export interface ChatJobs {
  /** A demo dealer reads what it was sent and begins to type. */
  'chat.demoTyping': { chatId: string; dealerId: string }
  /** A demo dealer answers. */
  'chat.demoReply': { chatId: string; dealerId: string }
}

/** A message as its two dealers hear it. */
export type SentMessage = ChatMessageEvent & { dealerIds: string[] }

export interface MessageDomainEvents {
  /** Stored by its id alone. What it says goes along where it is at hand: after a crash `readSent` reads it. */
  'message.sent': { messageId: string; sent?: SentMessage }
  /** A stored message says something else now: it was hidden, or shown again. */
  'message.changed': SentMessage
}
