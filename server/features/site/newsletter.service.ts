import { createHmac, timingSafeEqual } from 'node:crypto'
import type { MailingList } from '#shared/contact.ts'
import type { ListSubscription } from '#shared/schemas/site.ts'
import type { Config } from '#server/config/config.ts'
import type { Context } from '#server/platform/process/context.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'
import { publicLink } from '#server/platform/mail/mail.ts'
import {
  findSubscriber,
  insertSubscriber,
  listConfirmed,
  removeAddress,
  removeSubscriber,
  updateConfirmed,
} from './newsletter.repository.ts'

const perAddress = { name: 'lists-address', max: 10, seconds: 3_600 }
const perEmail = { name: 'lists-email', max: 3, seconds: 3_600 }

/** Emails a confirmation link. The response does not reveal whether the list already contains the address. */
export async function requestSubscription(
  ctx: Context,
  list: MailingList,
  input: ListSubscription,
  address: string,
): Promise<void> {
  await ctx.limiter.consume(perAddress, address)
  if (input.website) return
  const { email } = input
  await ctx.limiter.consume(perEmail, `${list}:${email.toLowerCase()}`, address)
  await ctx.transact(async (tx, emit) => {
    const subscriberId = await insertSubscriber(tx, list, email)
    if (subscriberId !== undefined) await emit.job('mail.listConfirm', { subscriberId })
  })
}

export async function confirm(ctx: Context, list: MailingList, secret: string): Promise<boolean> {
  return updateConfirmed(ctx.db, list, secret)
}

function signature(config: Pick<Config, 'secret'>, list: MailingList, id: string): string {
  return createHmac('sha256', config.secret).update(`leave:${list}:${id}`).digest('base64url')
}

/** Returns the unsubscribe link, which is valid as long as the list contains the address. */
export function unsubscribeLink(config: Config, list: MailingList, id: string): string {
  return publicLink(config, `/api/lists/${list}/leave?id=${id}&key=${signature(config, list, id)}`)
}

export async function unsubscribe(ctx: Context, list: MailingList, id: string, key: string): Promise<boolean> {
  const wanted = Buffer.from(signature(ctx.config, list, id))
  const given = Buffer.from(key)
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return false
  await removeSubscriber(ctx.db, list, id)
  return true
}

export async function subscribersOf(ctx: Context, list: MailingList) {
  return listConfirmed(ctx.db, list)
}

export async function confirmedSubscriber(db: Db, id: string) {
  const subscriber = await findSubscriber(db, id)
  return subscriber?.confirmedAt ? subscriber : undefined
}

export const dropAddress = (tx: Tx, email: string): Promise<void> => removeAddress(tx, email)
