import { vinLength } from '#shared/limits.ts'
import type { VinReport } from '#shared/schemas/vin.ts'
import { checkDigitHolds, checkDigitOf, cleanVin, composerVinMessage, decodeComposerVin } from '#shared/vin.ts'
import { badRequest } from '#server/errors.ts'
import type { Context } from '#server/platform/context.ts'
import type { Actor } from '#server/platform/session.ts'
import { listActivePosts } from './vin.repository.ts'
import { decodeByVpic } from './vpic.ts'

const lookUpLimit = { name: 'vin', max: 240, seconds: 60 }

/** Everything known about a VIN. @throws 400 unless it has 17 characters */
export async function reportVin(ctx: Context, actor: Actor, typed: string): Promise<VinReport> {
  const vin = cleanVin(typed)
  if (vin.length !== vinLength || vin !== typed.toUpperCase()) throw badRequest(composerVinMessage)
  await ctx.limiter.consume(lookUpLimit, actor.dealerId)
  const [vpic, posts] = await Promise.all([decodeByVpic(ctx.log, vin), listActivePosts(ctx.db, vin)])
  const table = decodeComposerVin(vin)
  const source = vpic?.make !== undefined ? 'vpic' : table === undefined ? 'none' : 'tables'
  return {
    vin,
    year: vpic?.year ?? table?.year ?? null,
    make: vpic?.make ?? table?.make ?? null,
    model: vpic?.model ?? table?.model ?? null,
    trim: vpic?.trim ?? null,
    body: vpic?.bodyStyle ?? null,
    source,
    checkDigitHolds: checkDigitHolds(vin),
    expectedCheckDigit: checkDigitOf(vin) ?? null,
    activePosts: posts.map(({ id, title, dealershipName, dealerId }) => ({
      id,
      title,
      dealershipName,
      own: dealerId === actor.dealerId,
    })),
  }
}
