import { createHash } from 'node:crypto'
import Type, { type Static, type TSchema } from 'typebox'
import Value from 'typebox/value'
import { demandMilesStep, demandQuestionsMax, demandVinsMax } from '#shared/schemas/wanted.ts'
import { Id } from '#shared/values.ts'
import { wordKey } from '#shared/vehicle-traits.ts'
import { checkDigitHolds, decodeComposerVin } from '#shared/vin.ts'
import { type AppError, badRequest } from '#server/errors.ts'
import type { Context } from '#server/platform/context.ts'
import type { Limit } from '#server/platform/limits.ts'
import { decrypt, encrypt } from '#server/platform/sealed.ts'
import { noteAsks } from './demand.repository.ts'

// What every answer about the demand for a VIN is guarded by, whether the vehicle is about to be posted or on offer already.

export const weekMs = 7 * 24 * 3_600_000
const refMs = 30 * 60_000
/** So long an answer stands, whatever changes: who asks again learns nothing of what changed meanwhile. */
const answerSeconds = 600

const limitsOf = (name: string): Limit[] => [
  { name: `${name}-hour`, max: 60, seconds: 3_600 },
  { name: `${name}-day`, max: 200, seconds: 86_400 },
]
/** What is on offer is counted by itself: who has a full lot may ask of the next vehicle all the same. */
const limits = { next: limitsOf('demand'), own: limitsOf('demand-own') }

/** Counts one question: of the `next` vehicle that is posted, or of one's `own` on offer. @throws 429 */
export async function countAsk(ctx: Context, dealerId: string, of: keyof typeof limits): Promise<void> {
  for (const limit of limits[of]) await ctx.limiter.consume(limit, dealerId)
}

/** Why nothing is told with this VIN: it is none, or of another make. */
export function faultOfVin(vin: string, make: string): AppError | undefined {
  if (!checkDigitHolds(vin)) return badRequest('The check digit of this VIN is wrong', { fields: ['vin'] })
  const decoded = decodeComposerVin(vin)?.make
  return decoded === undefined || wordKey(decoded) === wordKey(make)
    ? undefined
    : badRequest(`This VIN belongs to a ${decoded}`, { fields: ['make'] })
}

/** Notes that these VINs were asked for. Answers how many were in a week that the dealer never posted, and whether those are too many. */
export async function noteVins(ctx: Context, dealerId: string, vins: readonly string[]) {
  const count = await ctx.transact((tx) => noteAsks(tx, dealerId, vins, new Date(ctx.now().getTime() - weekMs)))
  return { count, tooMany: count > demandVinsMax }
}

/** In steps of ten: nearer than one is told as one. */
export const aboutMiles = (miles: number): number => Math.max(1, Math.round(miles / demandMilesStep)) * demandMilesStep

const RefContent = Type.Object({ orderId: Id, until: Type.Number() })
const purpose = 'demand'

/** Opens for this reader, with this VIN, for half an hour; it is another one each time, so that two tell nothing of each other. */
export function refOf(ctx: Context, readerId: string, vin: string, orderId: string): string {
  const content = Buffer.from(JSON.stringify({ orderId, until: ctx.now().getTime() + refMs }))
  return encrypt(ctx.config.secret, purpose, `${readerId}:${vin}`, content).toString('base64url')
}

/** The order behind a reference; undefined: it is not this reader's, of another vehicle, or too old. */
export function orderOf(ctx: Context, readerId: string, vin: string, ref: string): string | undefined {
  const sealed = Buffer.from(ref, 'base64url')
  if (sealed.length < 40) return undefined
  const content = decrypt(ctx.config.secret, purpose, `${readerId}:${vin}`, sealed)
  if (content === undefined) return undefined
  const value: unknown = JSON.parse(content.toString('utf8'))
  return Value.Check(RefContent, value) && value.until > ctx.now().getTime() ? value.orderId : undefined
}

/** What a dealer asks about one VIN. */
export interface Question {
  dealerId: string
  vin: string
  /** All that the answer depends on of the vehicle. */
  about: unknown
}

/** What was told: who takes the vehicle, and whether terms were withheld for too many VINs. */
interface Told<Row> {
  atMs: number
  tooMany: boolean
  rows: Row[]
}

/** `new`: to be asked and kept; `told`: the answer of before; `spent`: asked too often with nothing to tell. */
export type Recalled<Row> =
  | { state: 'new' }
  | { state: 'told'; told: Told<Row>; isEarlier: boolean }
  | { state: 'spent'; waitSeconds: number }

const keyOf = (ctx: Context, { dealerId, vin }: Question) => `${ctx.config.redisPrefix}:demand:${dealerId}:${vin}`
const fieldOf = ({ about }: Question) => createHash('sha256').update(JSON.stringify(about)).digest('base64url')

function read<Row extends TSchema>(row: Row, text: string | undefined): Told<Static<Row>> | undefined {
  if (text === undefined || text === '') return undefined
  const told: unknown = JSON.parse(text)
  const Answer = Type.Object({ atMs: Type.Number(), tooMany: Type.Boolean(), rows: Type.Array(row) })
  return Value.Check(Answer, told) ? told : undefined
}

/** Counts the question among those about its VIN. Answers all of them, and for how long they stand. */
async function note(ctx: Context, key: string, field: string) {
  const { commands } = ctx.redis
  await commands.hsetnx(key, field, '')
  const [known, left] = await Promise.all([commands.hgetall(key), commands.ttl(key)])
  if (left < 0) await commands.expire(key, answerSeconds)
  return { known, waitSeconds: left < 0 ? answerSeconds : left }
}

/**
 * What was told of this VIN in the last minutes: the same question has its own answer, and where too many different ones were asked, the last
 * answer stands. That nobody wants it tells of no order and is asked anew. Without Redis every question is new; the limits count it.
 * @param row what an answer is made of
 */
export async function recall<Row extends TSchema>(
  ctx: Context,
  question: Question,
  row: Row,
): Promise<Recalled<Static<Row>>> {
  const [key, field] = [keyOf(ctx, question), fieldOf(question)]
  const noted = await note(ctx, key, field).catch(() => undefined)
  if (noted === undefined) return { state: 'new' }
  const { known, waitSeconds } = noted
  const own = read(row, known[field])
  if (own !== undefined && own.rows.length > 0) return { state: 'told', told: own, isEarlier: false }
  if (own !== undefined || Object.keys(known).length <= demandQuestionsMax) return { state: 'new' }
  await ctx.redis.commands.hdel(key, field).catch(() => 0)
  const [last] = Object.values(known)
    .flatMap((text) => read(row, text) ?? [])
    .toSorted((one, other) => other.atMs - one.atMs)
  return last === undefined ? { state: 'spent', waitSeconds } : { state: 'told', told: last, isEarlier: true }
}

/** Keeps what was told; those before stand as long. */
export async function keep<Row>(ctx: Context, question: Question, told: Omit<Told<Row>, 'atMs'>): Promise<void> {
  const text = JSON.stringify({ ...told, atMs: ctx.now().getTime() })
  const key = keyOf(ctx, question)
  await ctx.redis.commands
    .multi()
    .hset(key, fieldOf(question), text)
    .expire(key, answerSeconds)
    .exec()
    .catch(() => null)
}
