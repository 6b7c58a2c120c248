import fc, { type Arbitrary } from 'fast-check'
import { danaEmail, demoPassword } from '#server/features/auth/demo-accounts.ts'
import {
  anId,
  asIs,
  brokenBodies,
  cursor,
  hostileText,
  hostileTexts,
  hostileValue,
  json,
  rawParts,
  rawQueries,
  strangeHeaders,
  type Body,
} from './fuzz-hostile.ts'

interface Schema {
  type?: string
  enum?: unknown[]
  nullable?: boolean
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  items?: Schema
  minItems?: number
  maxItems?: number
  properties?: Record<string, Schema>
  required?: string[]
  patternProperties?: Record<string, Schema>
}

interface Parameter {
  in: 'path' | 'query' | 'header'
  name: string
  required?: boolean
  schema: Schema
}

export interface Operation {
  method: string
  path: string
  parameters: Parameter[]
  body: Schema | undefined
}

export interface OpenApi {
  paths: Record<
    string,
    Record<string, { parameters?: Parameter[]; requestBody?: { content: Record<string, { schema: Schema }> } }>
  >
}

/** Ids of existing rows, by property name, parameter name or preceding path segment. */
export type Pools = ReadonlyMap<string, string[]>

export interface FuzzRequest extends Body {
  operation: string
  method: string
  path: string
}

const text = (maxLength: number): Schema => ({ type: 'string', maxLength })
const inPath = (name: string): Parameter => ({ in: 'path', name, required: true, schema: text(60) })
const inQuery = (name: string): Parameter => ({ in: 'query', name, schema: text(20) })

/** Endpoints that the API description does not list. */
const unlisted: Operation[] = (
  [
    ['GET', '/', ['public']],
    ['GET', '/{page}', ['public']],
    ['GET', '/post/{id}', []],
    ['GET', '/assets/{file}', []],
    ['GET', '/api/{page}', []],
    ['GET', '/api/docs/{file}', []],
    ['GET', '/metrics', []],
    ['GET', '/socket.io/', ['EIO', 'transport', 'sid']],
    ['GET', '/admin/queues/board/{page}', []],
    ['GET', '/admin/queues/board/api/queues', ['page', 'status', 'jobsPerPage', 'activeQueue']],
    ['GET', '/admin/queues/board/api/queues/{queueName}/{jobId}', []],
    ['GET', '/admin/queues/board/api/queues/{queueName}/{jobId}/logs', []],
    ['PUT', '/admin/queues/board/api/queues/{queueName}/{jobId}/retry', []],
  ] satisfies [string, string, string[]][]
).map(([method, path, query]) => ({
  method,
  path,
  parameters: [...[...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => inPath(name)), ...query.map(inQuery)],
  body: undefined,
}))

export const operationsOf = (document: OpenApi): Operation[] => [
  ...unlisted,
  ...Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody }]) => ({
      method: method.toUpperCase(),
      path,
      parameters,
      body: requestBody?.content['application/json']?.schema,
    })),
  ),
]

const cursors = [
  cursor(anId),
  cursor({ at: '2026-11-20 10:00:00.123456+00', id: anId }),
  cursor({ at: '2026-11-20T10:00:00.000Z', id: anId }),
  cursor({ heat: 1.5, id: anId }),
  cursor({ name: 'boyle', id: anId }),
]

const words = [
  'Ford',
  'F-150',
  'X5',
  'Tulsa',
  'clean title, one owner',
  '2019 Honda CR-V',
  'auction',
  'live auction',
  '1FTFW1E53MFA48213',
  'TX',
  'Torres',
  demoPassword,
  danaEmail,
  'basic',
  'premium',
  'mail',
  'default',
]

const atMost = (max: number | undefined, limit: number) => Math.min(max ?? limit, limit)

function textOf(schema: Schema, name: string, pools: Pools): Arbitrary<string> {
  const { format, pattern, minLength = 0, maxLength } = schema
  if (format === 'uuid') return idOf(name, pools)
  if (name === 'cursor') return fc.constantFrom(...cursors, ...hostileTexts)
  const noon = Date.UTC(2026, 10, 22, 12)
  const dates = fc.integer({ min: -60, max: 60 }).map((days) => new Date(noon + days * 86_400_000).toISOString())
  if (format === 'date-time') return dates
  if (format === 'date') return dates.map((date) => date.slice(0, 10))
  if (format === 'email' || pattern?.includes('@') === true)
    return fc.stringMatching(/^[a-z]{3,9}$/).map((user) => `${user}@fuzz.example`)
  if (pattern !== undefined && pattern !== '\\S') return fc.stringMatching(new RegExp(pattern))
  const plain = fc.string({ unit: 'grapheme', minLength, maxLength: Math.max(minLength, atMost(maxLength, 40)) })
  // Length limits count code points, and one generated grapheme can have several of them.
  const fits = (value: string) => [...value].length >= minLength && [...value].length <= (maxLength ?? Infinity)
  return fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...words.filter(fits), 'x'.repeat(Math.max(1, minLength))) },
    { weight: 2, arbitrary: plain.filter(fits) },
    { weight: 1, arbitrary: fc.constantFrom('x', '😀', 'ẞ').map((sign) => sign.repeat(atMost(maxLength, 3_000))) },
    { weight: 1, arbitrary: fc.constantFrom(...hostileTexts.filter(fits), 'x'.repeat(Math.max(1, minLength))) },
    ...(/id$|url$/i.test(name) ? [{ weight: 4, arbitrary: linkOf(name, pools) }] : []),
  )
}

/** Generates an upload URL for a field whose name ends in `url`, otherwise an id. */
const linkOf = (name: string, pools: Pools): Arbitrary<string> =>
  /url$/i.test(name) ? idOf('objects', pools).map((id) => `/api/objects/${id}`) : idOf(name, pools)

function idOf(name: string, pools: Pools): Arbitrary<string> {
  const fitting = pools.get(name) ?? []
  const all = [...pools.values()].flat()
  const from = (weight: number, ids: string[]) =>
    ids.length > 0 ? [{ weight, arbitrary: fc.constantFrom(...ids) }] : []
  return fc.oneof(...from(8, fitting), ...from(1, all), { weight: 1, arbitrary: fc.uuid({ version: 7 }) })
}

function numberOf({ type, minimum, maximum, exclusiveMinimum }: Schema): Arbitrary<number> {
  const min = minimum ?? (exclusiveMinimum === undefined ? -1_000 : exclusiveMinimum + 1)
  const max = maximum ?? Number.MAX_SAFE_INTEGER
  const whole = fc.oneof(fc.constantFrom(min, max), fc.integer({ min, max: Math.min(max, min + 50_000) }))
  return type === 'number'
    ? fc.oneof(
        whole,
        whole.map((value) => Math.min(max, value + 0.005)),
      )
    : whole
}

function valueOf(schema: Schema, name: string, pools: Pools): Arbitrary<unknown> {
  const value = plainValueOf(schema, name, pools)
  return schema.nullable === true ? fc.option(value, { freq: 4 }) : value
}

function plainValueOf(schema: Schema, name: string, pools: Pools): Arbitrary<unknown> {
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  switch (schema.type) {
    case 'string':
      return textOf(schema, name, pools)
    case 'integer':
    case 'number':
      return numberOf(schema)
    case 'boolean':
      return fc.boolean()
    case 'array': {
      const minLength = schema.minItems ?? 0
      const limits = { minLength, maxLength: Math.max(minLength, atMost(schema.maxItems, 3)) }
      return fc.array(valueOf(schema.items ?? {}, name.replace(/s$/, ''), pools), limits)
    }
    case 'object':
      return objectOf(schema, pools)
    default:
      return hostileValue
  }
}

function objectOf(
  { properties = {}, required = [], patternProperties = {} }: Schema,
  pools: Pools,
): Arbitrary<Record<string, unknown>> {
  const [any] = Object.values(patternProperties)
  if (any !== undefined) return fc.dictionary(idOf('id', pools), valueOf(any, '', pools), { maxKeys: 5 }) as never
  const fields = Object.entries(properties).map(([key, schema]) => [key, valueOf(schema, key, pools)] as const)
  return fc.record(Object.fromEntries(fields), { requiredKeys: required })
}

function placesIn(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([key, inner]) => placesIn(inner, [...path, key]))]
}

interface Spoiling {
  at: number
  how: 'replace' | 'remove' | 'add'
  key: string
  junk: unknown
}

function changed(value: unknown, path: string[], { how, key, junk }: Omit<Spoiling, 'at'>): unknown {
  const [first, ...rest] = path
  if (first === undefined) {
    if (how === 'add') return added(value, key, junk)
    return how === 'remove' ? undefined : junk
  }
  const entries = Object.entries(value as object).flatMap(([name, inner]) => {
    if (name !== first) return [[name, inner]]
    const next = changed(inner, rest, { how, key, junk })
    return next === undefined ? [] : [[name, next]]
  })
  return Array.isArray(value) ? entries.map(([, inner]) => inner as unknown) : Object.fromEntries(entries)
}

function added(value: unknown, key: string, junk: unknown): unknown {
  if (Array.isArray(value)) return [...(value as unknown[]), junk]
  if (typeof value !== 'object' || value === null) return [value, junk]
  return Object.fromEntries([...Object.entries(value), [key, junk]])
}

/** Property names that most requests must not set, such as columns of the server. */
const ownColumns = [
  'id',
  'role',
  'dealerId',
  'rev',
  'status',
  'demo',
  'passwordHash',
  'deletedAt',
  'createdAt',
  '__proto__',
]

/** Replaces, removes or adds one part of a valid value, which usually makes it invalid. */
function spoiled(value: Arbitrary<unknown>): Arbitrary<unknown> {
  const spoiling = fc.record<Spoiling>({
    at: fc.nat(),
    how: fc.constantFrom('replace', 'replace', 'replace', 'remove', 'add'),
    key: fc.oneof(fc.constantFrom(...ownColumns), hostileText),
    junk: hostileValue,
  })
  return fc.tuple(value, spoiling).map(([whole, { at, ...change }]) => {
    const places = placesIn(whole)
    return changed(whole, places[at % places.length] ?? [], change)
  })
}

const mostly = (value: Arbitrary<unknown>): Arbitrary<unknown> =>
  fc.oneof(
    { weight: 5, arbitrary: value },
    { weight: 4, arbitrary: spoiled(value) },
    { weight: 1, arbitrary: hostileValue },
  )

/** Generates payloads that are valid, nearly valid, or hostile. */
export const payloadsOf = (schema: object, pools: Pools): Arbitrary<unknown> => mostly(valueOf(schema, '', pools))

const loneSurrogate = /\p{Surrogate}/gu

/** Percent-encodes a value as a browser does. Encodes a lone surrogate as a faulty client would. */
const percent = (value: unknown): string =>
  (typeof value === 'string' ? value : String(JSON.stringify(value)))
    .split(loneSurrogate)
    .map(encodeURIComponent)
    .join('%ED%A0%80')

function parametersOf(
  { path, parameters }: Operation,
  kind: Parameter['in'],
  pools: Pools,
): Arbitrary<Record<string, unknown>> {
  const own = parameters.filter((one) => one.in === kind)
  const before = (name: string) => path.split('/').at(path.split('/').indexOf(`{${name}}`) - 1) ?? ''
  const fields = own.map(({ name, schema }) => {
    const pool = kind === 'path' && !pools.has(name) ? before(name) : name
    return [name, valueOf(schema, pool, pools)] as const
  })
  const requiredKeys = own.filter(({ required = false }) => required || kind === 'path').map(({ name }) => name)
  return fc.record(Object.fromEntries(fields), { requiredKeys })
}

function pathOf(operation: Operation, pools: Pools): Arbitrary<string> {
  const filled = parametersOf(operation, 'path', pools).map((values) =>
    operation.path.replaceAll(/\{([^}]+)\}/g, (_whole, name: string) => percent(values[name])),
  )
  if (!operation.path.includes('{')) return filled
  const junk = fc.oneof(hostileText.map(percent), fc.constantFrom(...rawParts))
  const spoilt = junk.map((part) => operation.path.replaceAll(/\{[^}]+\}/g, part))
  return fc.oneof({ weight: 8, arbitrary: filled }, { weight: 2, arbitrary: spoilt })
}

function queryOf(operation: Operation, pools: Pools): Arbitrary<string> {
  const values = parametersOf(operation, 'query', pools)
  const written = (value: unknown) =>
    Object.entries(value as object).flatMap(([name, one]) =>
      (Array.isArray(one) ? (one as unknown[]) : [one]).map((item) => `${percent(name)}=${percent(item)}`),
    )
  const own = fc.oneof(
    { weight: 4, arbitrary: values },
    { weight: 3, arbitrary: spoiled(values).filter((value) => typeof value === 'object' && value !== null) },
  )
  const queries = own.map((value) => written(value).join('&'))
  const hasOwn = operation.parameters.some((one) => one.in === 'query')
  return fc.oneof(
    { weight: hasOwn ? 12 : 1, arbitrary: hasOwn ? queries : fc.constant('') },
    ...(hasOwn ? [] : [{ weight: 9, arbitrary: fc.constant('') }]),
    { weight: 1, arbitrary: fc.constantFrom(...rawQueries) },
  )
}

const headerSafe = (value: unknown): string => percent(value).replaceAll('%20', ' ').slice(0, 2_000)

function headersOf(operation: Operation, pools: Pools): Arbitrary<Record<string, string>> {
  const own = parametersOf(operation, 'header', pools)
  const written = (value: unknown) =>
    Object.fromEntries(
      Object.entries((value ?? {}) as object)
        .filter(([name]) => /^[a-z-]+$/.test(name))
        .map(([name, one]) => [name, headerSafe(one)]),
    )
  const sent = fc.oneof({ weight: 4, arbitrary: own }, { weight: 1, arbitrary: spoiled(own) }).map(written)
  const strange = fc.oneof(
    { weight: 12, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: fc.constantFrom(...strangeHeaders) },
  )
  return fc.tuple(sent, strange).map(([one, other]) => ({ ...one, ...other }))
}

function bodyOf({ method, body }: Operation, pools: Pools): Arbitrary<Body> {
  const none = fc.constant<Body>({ headers: {} })
  if (method === 'GET' || method === 'HEAD') return none
  const broken = fc.constantFrom(...brokenBodies)
  const sent = (value: unknown): Body => asIs(json, JSON.stringify(value) ?? 'null')
  if (body !== undefined)
    return fc.oneof(
      { weight: 12, arbitrary: mostly(valueOf(body, '', pools)).map(sent) },
      { weight: 1, arbitrary: broken },
    )
  return fc.oneof(
    { weight: 3, arbitrary: none },
    { weight: 2, arbitrary: broken },
    { weight: 1, arbitrary: hostileValue.map(sent) },
  )
}

/** Generates requests for one API call: valid, nearly valid, or hostile. Uses existing ids, so that many requests get past a 404. */
export function requestsOf(operation: Operation, pools: Pools): Arbitrary<FuzzRequest> {
  return fc
    .tuple(pathOf(operation, pools), queryOf(operation, pools), headersOf(operation, pools), bodyOf(operation, pools))
    .map(([path, query, headers, body]) => ({
      operation: `${operation.method} ${operation.path}`,
      method: operation.method,
      path: query === '' ? path : `${path}?${query}`,
      headers: { ...headers, ...body.headers },
      ...(body.body !== undefined && { body: body.body }),
    }))
}
