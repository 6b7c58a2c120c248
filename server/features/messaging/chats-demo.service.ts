import { randomUUID } from 'node:crypto'
import { messagesPerWindow } from '#shared/limits.ts'
import type { Chat } from '#shared/schemas/messaging.ts'
import { notFound } from '#server/errors.ts'
import { insertMissingDealers } from '#server/features/dealers/dealers.service.ts'
import { touchInbox } from '#server/features/notifications/inbox.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { assertSelf } from '#server/platform/http/guards.ts'
import type { Actor } from '#server/platform/session/session.ts'
import { ensureChat } from './chats.repository.ts'
import { readChats } from './chats.service.ts'
import { countDemoDealers, listDemoPartners } from './chats-demo.repository.ts'
import { storeMessage } from './messages.service.ts'

const generateLimit = { name: 'demo-chats', max: 5, seconds: 60 }
const chatsWanted = 4

const openings = [
  ['Hi! Saw that you are looking for trucks.', 'I have two F-150s coming off lease this week. Want first look?'],
  ['Good morning. Is your Tacoma still available?', 'Also, would you take $29,000 if I do two?'],
  ['Bidding closes tonight. Good luck!'],
  ['Photos of the Camry wheels?', 'Driver can pick up Thursday if the title is in hand.'],
]

const people = [
  ['Priya Nair', 'Lakefront Auto Exchange', 'Milwaukee', 'WI'],
  ['Luis Herrera', 'Herrera & Sons', 'Amarillo', 'TX'],
  ['Marcus Webb', 'Webb Bros Auto Wholesale', 'Tulsa', 'OK'],
  ['Ray Okafor', 'Gulf Coast Wholesale', 'Mobile', 'AL'],
] as const

async function ensureDemoDealers(tx: Tx): Promise<void> {
  if ((await countDemoDealers(tx)) >= chatsWanted) return
  await insertMissingDealers(
    tx,
    people.map(([name, dealershipName, city, state]) => ({
      email: `${name.toLowerCase().replaceAll(' ', '.')}@demo.lanewire.example`,
      passwordHash: null,
      name,
      dealershipName,
      city,
      state,
      demo: true,
      profileCompleted: true,
    })),
  )
}

/** Creates chats started by demo dealers. @throws 403 if `userId` is another dealer; 404 if `DEMO` is off */
export async function generateDemoChats(ctx: Context, actor: Actor, userId: string): Promise<Chat[]> {
  assertSelf(actor, userId)
  if (!ctx.config.demo) throw notFound()
  await ctx.limiter.consume(generateLimit, actor.dealerId)
  const made = await ctx.transact(async (tx, emit) => {
    await ensureDemoDealers(tx)
    const partners = await listDemoPartners(tx, actor.dealerId, chatsWanted)
    const chats = []
    for (const partnerId of partners) {
      const chat = await ensureChat(tx, actor.dealerId, partnerId)
      if (chat.isNew) chats.push({ id: chat.id, partnerId })
    }
    for (const { id } of chats) await touchInbox(tx, emit, [actor.dealerId], 'chat', id)
    return chats
  })
  for (const [index, { id: chatId, partnerId }] of made.entries())
    for (const content of openings[index % openings.length] ?? [])
      await storeMessage(ctx, {
        chatId,
        senderId: partnerId,
        clientId: randomUUID(),
        content,
        attachmentUrl: null,
        attachmentName: null,
        postId: null,
      })
  const { chats } = await readChats(ctx, actor, { limit: chatsWanted, unread: false, messages: messagesPerWindow })
  return chats
}

export { insertPastChats, type PastChats } from './chats-demo.repository.ts'
