import type { ChatMessageEvent } from '#shared/events/messaging.ts'

export interface ChatDomainEvents {
  /** A member has read up to `seq`; `otherId` is set where the other may know. */
  'chat.read': { chatId: string; dealerId: string; seq: number; otherId: string | undefined }
  'chat.typing': { chatId: string; dealerId: string }
}

export interface ChatJobs {
  /** A demo dealer reads what it was sent and begins to type. */
  'chat.demoTyping': { chatId: string; dealerId: string }
  /** A demo dealer answers. */
  'chat.demoReply': { chatId: string; dealerId: string }
}

export interface MessageDomainEvents {
  /** What is stored with a message: whoever finds it reads the message, which is sent then. */
  'message.stored': { messageId: string }
  'message.sent': ChatMessageEvent & { dealerIds: string[] }
  /** A stored message says something else now: it was hidden, or shown again. */
  'message.changed': ChatMessageEvent & { dealerIds: string[] }
}
