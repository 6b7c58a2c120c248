import type { ContactMessage } from '#shared/schemas/contact.ts'
import type { Context } from '#server/platform/context.ts'
import { rateLimited } from '#server/platform/limits.ts'
import { findLastMessage, insertMessage } from './contact.repository.ts'

const perAddress = { name: 'contact-address', max: 5, seconds: 3_600 }
const senderPauseSeconds = 3_600

/**
 * Stores a message and mails it, once per sender per hour (READING.md "Contact"). The same text again is the same
 * message. A filled trap field is answered like any other message and goes nowhere.
 * @throws 429 for another message of the same sender within the hour, or too many from one address
 */
export async function receiveMessage(ctx: Context, input: ContactMessage, address: string): Promise<void> {
  await ctx.limiter.consume(perAddress, address)
  const { website, ...rest } = input
  if (website) return
  const message = { ...rest, name: rest.name.trim(), message: rest.message.trim() }
  await ctx.transact(async (tx, emit) => {
    const last = await findLastMessage(tx, message.email)
    if (last && last.ageSeconds < senderPauseSeconds) {
      if (last.message === message.message) return
      throw rateLimited(Math.ceil(senderPauseSeconds - last.ageSeconds))
    }
    const messageId = await insertMessage(tx, message)
    await emit.job('mail.contact', { messageId })
  })
}
