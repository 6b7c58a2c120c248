import { randomUUID } from 'node:crypto'
import type { Chat, Message } from '#shared/schemas/messaging.ts'
import type { Answer, Caller } from './app.ts'

export async function openChat(from: Caller, to: Caller): Promise<string> {
  const { status, body } = await from.post<Chat>('/api/chats', { dealerId: to.id })
  if (status !== 201) throw new Error(`the chat was refused: ${status} ${JSON.stringify(body)}`)
  return body.id
}

/** Sends a message. Sending it again with the same `key` does not create a second one. */
export const say = (
  from: Caller,
  chatId: string,
  content: string,
  key: string = randomUUID(),
  about: { postId?: string } = {},
): Promise<Answer<Message>> => from.post('/api/messages', { chatId, content, ...about }, { 'idempotency-key': key })
