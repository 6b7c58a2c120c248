import type { ChatMessageEvent } from '#shared/events/messaging.ts'

export interface ChatDomainEvents {
  /** A member has read messages up to `seq`. `otherId` is undefined if the other dealer may not see read receipts. */
  'chat.read': { chatId: string; dealerId: string; seq: number; otherId: string | undefined }
  'chat.typing': { chatId: string; dealerId: string }
  'chat.blocked': { between: readonly [string, string] }
}

export interface ChatJobs {
  'chat.demoTyping': { chatId: string; dealerId: string }
  'chat.demoReply': { chatId: string; dealerId: string }
}

export type SentMessage = ChatMessageEvent & { dealerIds: string[] }

export interface MessageDomainEvents {
  /** The outbox stores only the id of the message. After a crash, `sent` is missing and `readSent` loads it. */
  'message.sent': { messageId: string; sent?: SentMessage }
  'message.changed': SentMessage
}
