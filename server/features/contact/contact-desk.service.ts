import type { ContactEntry, ContactPage, ContactQuery } from '#shared/schemas/contact.ts'
import { Id } from '#shared/schemas/dealers.ts'
import { conflict, notFound } from '#server/errors.ts'
import { recordAct, type By } from '#server/features/audit/audit.service.ts'
import type { Context } from '#server/platform/context.ts'
import { decodeCursor, encodeCursor } from '#server/platform/keyset.ts'
import { countWaiting, findEntry, listMessages, updateHandled } from './contact.repository.ts'

const pageSize = 30

/** What visitors wrote, for whoever answers it. */
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

/** Takes a message off the desk, or puts it back. @throws 404, 409 where it is so already */
export async function handleMessage(ctx: Context, by: By, id: string, handled: boolean): Promise<ContactEntry> {
  await ctx.transact(async (tx) => {
    const found = await findEntry(tx, id)
    if (found === undefined) throw notFound('This message')
    if (!(await updateHandled(tx, id, handled ? by.actor.dealerId : null)))
      throw conflict(handled ? 'This message is handled already' : 'This message waits already')
    const subject = { kind: 'contact', id, name: found.name }
    await recordAct(tx, by, {
      action: handled ? 'contact.handle' : 'contact.reopen',
      subject,
      before: { handled: !handled },
      after: { handled },
    })
  })
  const entry = await findEntry(ctx.db, id)
  if (entry === undefined) throw notFound('This message')
  return entry
}
