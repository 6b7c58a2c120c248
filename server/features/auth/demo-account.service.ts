import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { CurrentUser } from '#shared/schemas/dealers.ts'
import { notFound } from '#server/errors.ts'
import { insertDealer, toCurrentUser } from '#server/features/dealers/dealers.repository.ts'
import type { Context } from '#server/platform/context.ts'

const perAddress = { name: 'demo-account', max: 20, seconds: 60 }

/**
 * A fresh demo dealer with a finished profile (spec B §7 create-dummy).
 * @throws 404 where `DEMO` is off: a production server has no such call.
 */
export async function createDemoAccount(ctx: Context, address: string): Promise<CurrentUser> {
  if (!ctx.config.demo) throw notFound()
  await ctx.limiter.consume(perAddress, address)
  const tag = randomBytes(4).toString('hex')
  const dealer = await ctx.transact(async (tx) => {
    const { id } = await insertDealer(tx, { email: `demo-${tag}@lanewire.example`, passwordHash: null, demo: true })
    return tx
      .updateTable('dealers')
      .set({
        name: 'Demo Dealer',
        dealershipName: `Demo Motors ${tag.slice(0, 4).toUpperCase()}`,
        phone: '(555) 010-0100',
        city: 'Dallas',
        state: 'TX',
        address: '100 Commerce St',
        zip: '75201',
        profileCompletedAt: sql<Date>`now()`,
        emailVerifiedAt: sql<Date>`now()`,
      })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
  })
  return toCurrentUser(dealer)
}
