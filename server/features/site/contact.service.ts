import { plural } from '#shared/format.ts'
import type { ContactEntry, ContactMessage, ContactPage, ContactQuery } from '#shared/schemas/site.ts'
import type { Context } from '#server/platform/process/context.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { RateLimited } from '#server/platform/limits.ts'
import {
  countWaiting,
  findEntry,
  findLastMessage,
  insertAnswer,
  insertMessage,
  listMessages,
  removeMessagesOf,
  removeOldMessages,
  updateHandled,
} from './contact.repository.ts'
import { Id } from '#shared/values.ts'
import { conflict, notFound } from '#server/errors.ts'
import { type By, recordAct } from '#server/features/audit/audit.service.ts'
import { decodeCursor, encodeCursor } from '#server/platform/http/page-cursors.ts'

const perAddress = { name: 'contact-address', max: 5, seconds: 3_600 }
const senderPauseSeconds = 3_600

const minutesOf = (seconds: number): string => plural(Math.ceil(seconds / 60), 'minute')

/**
 * Drops the message without an error if the honeypot field is filled in, or if the sender sent the same text within the last hour.
 * @throws 429 if the sender sent a different message within the last hour, or the IP address sent too many messages
 */
export async function receiveMessage(
  ctx: Context,
  input: ContactMessage,
  { address, dealerId }: { address: string; dealerId: string | undefined },
): Promise<void> {
  await ctx.limiter.consume(perAddress, address)
  const { website, ...rest } = input
  if (website) return
  const message = { ...rest, name: rest.name.trim(), message: rest.message.trim() }
  await ctx.transact(async (tx, emit) => {
    const last = await findLastMessage(tx, message.email)
    if (last && last.ageSeconds < senderPauseSeconds) {
      if (last.message === message.message) return
      const wait = Math.ceil(senderPauseSeconds - last.ageSeconds)
      throw new RateLimited(wait, 1, `We received your message. You can send another in ${minutesOf(wait)}`)
    }
    const messageId = await insertMessage(tx, message, dealerId)
    await emit.job('mail.contact', { messageId })
  })
}

const pageSize = 30

export async function contactPage(ctx: Context, { state, cursor }: ContactQuery): Promise<ContactPage> {
  const before = cursor === undefined ? undefined : decodeCursor(Id, cursor)
  const [rows, waiting] = await Promise.all([
    listMessages(ctx.db, { state, limit: pageSize, before }),
    countWaiting(ctx.db),
  ])
  const messages = rows.slice(0, pageSize)
  const last = messages.at(-1)
  return { messages, waiting, nextCursor: rows.length > pageSize && last ? encodeCursor(last.id) : null }
}

/** @throws 404 if the message does not exist; 409 if it is already in this state */
export async function handleMessage(ctx: Context, by: By, id: string, handled: boolean): Promise<ContactEntry> {
  await ctx.transact(async (tx) => {
    const found = await findEntry(tx, id)
    if (found === undefined) throw notFound('This message')
    if (!(await updateHandled(tx, id, handled ? by.actor.dealerId : null)))
      throw conflict(handled ? 'This message is already handled' : 'This message is already open')
    await recordAct(tx, by, {
      action: handled ? 'contact.handle' : 'contact.reopen',
      subject: { kind: 'contact', id, name: found.name },
      before: { handled: !handled },
      after: { handled },
    })
  })
  const entry = await findEntry(ctx.db, id)
  if (entry === undefined) throw notFound('This message')
  return entry
}

/** Emails an answer, stores it and marks the message as handled. @throws 404 if the message does not exist */
export async function answerMessage(ctx: Context, by: By, id: string, content: string): Promise<ContactEntry> {
  await ctx.transact(async (tx, emit) => {
    const found = await findEntry(tx, id)
    if (found === undefined) throw notFound('This message')
    const answerId = await insertAnswer(tx, { messageId: id, content: content.trim(), sentBy: by.actor.dealerId })
    await updateHandled(tx, id, by.actor.dealerId)
    await emit.job('mail.contactAnswer', { answerId })
    await recordAct(tx, by, { action: 'contact.answer', subject: { kind: 'contact', id, name: found.name } })
  })
  const entry = await findEntry(ctx.db, id)
  if (entry === undefined) throw notFound('This message')
  return entry
}

/** @param provenEmail the dealer's address, or undefined if it is not confirmed */
export const dropContact = (tx: Tx, dealerId: string, provenEmail: string | undefined): Promise<string[]> =>
  removeMessagesOf(tx, dealerId, provenEmail)

export const sweepContact = (tx: Tx, before: Date, limit: number): Promise<number> =>
  removeOldMessages(tx, before, limit)
