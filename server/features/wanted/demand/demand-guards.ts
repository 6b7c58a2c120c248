import { createHash } from 'node:crypto'
import Type, { type Static, type TSchema } from 'typebox'
import Value from 'typebox/value'
import { demandMilesStep, demandQuestionsMax, demandVinsMax } from '#shared/schemas/wanted.ts'
import { Id } from '#shared/values.ts'
import { wordKey } from '#shared/vehicle-traits.ts'
import { checkDigitHolds, decodeComposerVin } from '#shared/vin/vin.ts'
import { type AppError, badRequest } from '#server/errors.ts'
import type { Context } from '#server/platform/process/context.ts'
import type { Limit } from '#server/platform/limits.ts'
import { decrypt, encrypt } from '#server/platform/signing-and-encryption.ts'
import { recordAsks } from './demand.repository.ts'

export const weekMs = 7 * 24 * 3_600_000
const refMs = 30 * 60_000
/** Answers are cached for this many seconds, so that repeating a request does not reveal changes. */
const answerSeconds = 600

const limitsOf = (name: string): Limit[] => [
  { name: `${name}-hour`, max: 60, seconds: 3_600 },
  { name: `${name}-day`, max: 200, seconds: 86_400 },
]
/** Separate limits, so that a dealer with many vehicles for sale can still ask about the next vehicle. */
const limits = { next: limitsOf('demand'), own: limitsOf('demand-own') }

/** Counts a request about the `next` vehicle to post or about the dealer's `own` vehicles for sale. @throws 429 after too many requests */
export async function countAsk(ctx: Context, dealerId: string, of: keyof typeof limits): Promise<void> {
  for (const limit of limits[of]) await ctx.limiter.consume(limit, dealerId)
}

/** Returns an error if the VIN's check digit is wrong or the VIN belongs to a different make. */
export function faultOfVin(vin: string, make: string): AppError | undefined {
  if (!checkDigitHolds(vin)) return badRequest('The check digit of this VIN is wrong', { fields: ['vin'] })
  const decoded = decodeComposerVin(vin)?.make
  return decoded === undefined || wordKey(decoded) === wordKey(make)
    ? undefined
    : badRequest(`This VIN belongs to a ${decoded}`, { fields: ['make'] })
}

/** Returns how many VINs the dealer asked about within a week without posting them. */
export async function recordVins(ctx: Context, dealerId: string, vins: readonly string[]) {
  const count = await ctx.transact((tx) => recordAsks(tx, dealerId, vins, new Date(ctx.now().getTime() - weekMs)))
  return { count, tooMany: count > demandVinsMax }
}

export const aboutMiles = (miles: number): number => Math.max(1, Math.round(miles / demandMilesStep)) * demandMilesStep

const RefContent = Type.Object({ orderId: Id, until: Type.Number() })
const purpose = 'demand'

/** Returns an encrypted reference to an order. It is valid for half an hour, for this reader and VIN. */
export function refOf(ctx: Context, readerId: string, vin: string, orderId: string): string {
  const content = Buffer.from(JSON.stringify({ orderId, until: ctx.now().getTime() + refMs }))
  return encrypt(ctx.config.secret, purpose, `${readerId}:${vin}`, content).toString('base64url')
}

/** Returns undefined if the reference has expired or belongs to a different reader or VIN. */
export function orderOf(ctx: Context, readerId: string, vin: string, ref: string): string | undefined {
  const sealed = Buffer.from(ref, 'base64url')
  if (sealed.length < 40) return undefined
  const content = decrypt(ctx.config.secret, purpose, `${readerId}:${vin}`, sealed)
  if (content === undefined) return undefined
  const value: unknown = JSON.parse(content.toString('utf8'))
  return Value.Check(RefContent, value) && value.until > ctx.now().getTime() ? value.orderId : undefined
}

export interface Question {
  dealerId: string
  vin: string
  about: unknown
}

/** `rows` are the matching orders. If the dealer asked about too many VINs, `tooMany` is set and the terms were withheld. */
interface CachedAnswer<Row> {
  atMs: number
  tooMany: boolean
  rows: Row[]
}

/** `new`: compute an answer. `cached`: return this answer. `spent`: reject the request; there were too many, and no answer is cached. */
export type CacheLookup<Row> =
  | { state: 'new' }
  | { state: 'cached'; answer: CachedAnswer<Row>; isEarlier: boolean }
  | { state: 'spent'; waitSeconds: number }

const keyOf = (ctx: Context, { dealerId, vin }: Question) => `${ctx.config.redisPrefix}:demand:${dealerId}:${vin}`
const fieldOf = ({ about }: Question) => createHash('sha256').update(JSON.stringify(about)).digest('base64url')

function read<Row extends TSchema>(row: Row, text: string | undefined): CachedAnswer<Static<Row>> | undefined {
  if (text === undefined || text === '') return undefined
  const answer: unknown = JSON.parse(text)
  const Answer = Type.Object({ atMs: Type.Number(), tooMany: Type.Boolean(), rows: Type.Array(row) })
  return Value.Check(Answer, answer) ? answer : undefined
}

/** Counts a request for a VIN. Returns all cached answers for the VIN and the seconds until they expire. */
async function countRequest(ctx: Context, key: string, field: string) {
  const { commands } = ctx.redis
  await commands.hsetnx(key, field, '')
  const [known, left] = await Promise.all([commands.hgetall(key), commands.ttl(key)])
  if (left < 0) await commands.expire(key, answerSeconds)
  return { known, waitSeconds: left < 0 ? answerSeconds : left }
}

/**
 * Looks up the cached answer for a VIN. After too many different requests for the VIN, returns its latest answer. An empty answer reveals
 * no order, so it is computed again. Without Redis, every request is new, but rate limits still apply.
 */
export async function findCachedAnswer<Row extends TSchema>(
  ctx: Context,
  question: Question,
  row: Row,
): Promise<CacheLookup<Static<Row>>> {
  const [key, field] = [keyOf(ctx, question), fieldOf(question)]
  const noted = await countRequest(ctx, key, field).catch(() => undefined)
  if (noted === undefined) return { state: 'new' }
  const { known, waitSeconds } = noted
  const own = read(row, known[field])
  if (own !== undefined && own.rows.length > 0) return { state: 'cached', answer: own, isEarlier: false }
  if (own !== undefined || Object.keys(known).length <= demandQuestionsMax) return { state: 'new' }
  await ctx.redis.commands.hdel(key, field).catch(() => 0)
  const [last] = Object.values(known)
    .flatMap((text) => read(row, text) ?? [])
    .toSorted((one, other) => other.atMs - one.atMs)
  return last === undefined ? { state: 'spent', waitSeconds } : { state: 'cached', answer: last, isEarlier: true }
}

/** Caches an answer, which also extends the lifetime of earlier answers for the VIN. */
export async function cacheAnswer<Row>(
  ctx: Context,
  question: Question,
  answer: Omit<CachedAnswer<Row>, 'atMs'>,
): Promise<void> {
  const text = JSON.stringify({ ...answer, atMs: ctx.now().getTime() })
  const key = keyOf(ctx, question)
  await ctx.redis.commands
    .multi()
    .hset(key, fieldOf(question), text)
    .expire(key, answerSeconds)
    .exec()
    .catch(() => null)
}
