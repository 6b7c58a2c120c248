import { randomBytes } from 'node:crypto'
import type { CurrentUser } from '#shared/schemas/dealers.ts'
import { notFound } from '#server/errors.ts'
import { grantDemoPlan } from '#server/features/billing/billing-changes.service.ts'
import { toCurrentUser } from '#server/features/dealers/dealers.rows.ts'
import { findDealer, insertDealer } from '#server/features/dealers/dealers.service.ts'
import type { Context } from '#server/platform/process/context.ts'

const perAddress = { name: 'demo-account', max: 20, seconds: 60 }

const houseMin = 100
const houses = 9_700

/** Creates a demo account with sample data for a visitor. @throws 404 if `DEMO` is off */
export async function createDemoAccount(ctx: Context, address: string): Promise<CurrentUser> {
  if (!ctx.config.demo) throw notFound()
  await ctx.limiter.consume(perAddress, address)
  const tag = randomBytes(4).toString('hex')
  // Import it here, because only a demo needs it.
  const { furnishAccount, namesFor } = await import('./demo-account.service.ts')
  const seed = Number.parseInt(tag, 16)
  const dealer = await ctx.transact(async (tx, emit) => {
    const now = ctx.now()
    const made = await insertDealer(tx, {
      email: `demo-${tag}@lanewire.example`,
      passwordHash: null,
      ...namesFor(seed),
      phone: '(555) 010-0100',
      city: 'Dallas',
      state: 'TX',
      // Vary the street number, because accounts at the same address count as one dealer.
      address: `${houseMin + (seed % houses)} Commerce St`,
      zip: '75201',
      demo: true,
      emailVerified: true,
      profileCompleted: true,
    })
    await grantDemoPlan(tx, emit, made.id, now)
    await furnishAccount(tx, emit, { ...made, now }, seed)
    return findDealer(tx, made.id)
  })
  if (dealer === undefined) throw notFound('Your account')
  return toCurrentUser(dealer)
}
