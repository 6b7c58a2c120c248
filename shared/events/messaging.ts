import Type, { type Static } from 'typebox'
import type { Message } from '#shared/schemas/messaging.ts'
import type { Ack } from './control.ts'

/** `rev` is the chat's revision after the change, without gaps. `seq` is the message's position in the chat. */
export interface ChatMessageEvent {
  chatId: string
  rev: number
  seq: number
  message: Message
}

export interface MessagingEvents {
  'chat.message': (event: ChatMessageEvent) => void
  /** Sent when a member of the chat has read up to `seq`. The other member receives it only if both show read receipts. */
  'chat.read': (event: { chatId: string; dealerId: string; seq: number }) => void
  'chat.typing': (event: { chatId: string; dealerId: string; ttlMs: number }) => void
  /** Sent when a dealer on the client's screen (`view` with the kind `dealer`) goes online or offline. */
  presence: (event: { dealerId: string; online: boolean }) => void
}

export const Typing = Type.Object(
  { chatId: Type.String({ minLength: 36, maxLength: 36 }) },
  { additionalProperties: false },
)
export type Typing = Static<typeof Typing>

export interface MessagingCommands {
  typing: (typing: Typing, ack: (answer: Ack) => void) => void
}
