import type { FastifyInstance, FastifySchemaValidationError } from 'fastify'
import { Ajv, type SchemaValidateFunction, type ValidateFunction } from 'ajv'
import fastJson, { type Schema } from 'fast-json-stringify'
import { createRequire } from 'node:module'
import type { FormatsPlugin } from 'ajv-formats'
import { isEmail } from '#shared/email.ts'
import { formatNumber, plural } from '#shared/format.ts'
import { trimText } from '#shared/visible-text.ts'
import { idPattern } from '../ids.ts'
import { findUnstorable } from '../storable-text.ts'

// Bundlers and Node resolve this CommonJS default export differently, so load the module with `require`.
const addFormats = createRequire(import.meta.url)('ajv-formats') as FormatsPlugin

// Request bodies are spread into database rows, so properties that the schema does not name must be removed.
const options = { useDefaults: true, removeAdditional: 'all', allErrors: true, strict: false } as const
// Schemas are compiled on their first use. Compiling all of them would take up most of the startup time.
const bodies = new Ajv(options)
const texts = new Ajv({ ...options, coerceTypes: 'array' })
// A route's schema names only some of the headers, so keep the others.
const headers = new Ajv({ ...options, coerceTypes: 'array', removeAdditional: false })

const trimmed: SchemaValidateFunction = (on: boolean, text: string, _schema, at) => {
  if (on && at) at.parentData[at.parentDataProperty] = trimText(text)
  return true
}

const lowerCased: SchemaValidateFunction = (on: boolean, text: string, _schema, at) => {
  if (on && at) at.parentData[at.parentDataProperty] = text.toLowerCase()
  return true
}

for (const ajv of [bodies, texts, headers]) {
  addFormats(ajv)
  // The library's uuid format also accepts a `urn:uuid:` prefix.
  ajv.addFormat('uuid', idPattern)
  ajv.addFormat('email', isEmail)
  ajv.addKeyword({ keyword: 'lowerCase', type: 'string', modifying: true, validate: lowerCased })
  ajv.addKeyword({ keyword: 'trim', type: 'string', before: 'maxLength', modifying: true, validate: trimmed })
}

/** Also rejects strings that PostgreSQL cannot store. */
function compile(ajv: Ajv, schema: object) {
  const check = (...[data, place]: Parameters<ValidateFunction>) => {
    const validate = ajv.compile(schema)
    const instancePath = findUnstorable(data)
    if (instancePath === undefined) return validate(data, place) || { error: validate.errors ?? [] }
    return { error: [{ keyword: 'characters', instancePath, schemaPath: '#', params: {} }] }
  }
  // Fastify lets only validators with this property replace the root value, for example when it is coerced.
  return Object.assign(check, { schemaEnv: true })
}

const validators: Record<string, Ajv> = { body: bodies, headers }

type Write = (data: unknown) => string
const writers = new WeakMap<object, Write>()

function compileWriter(schema: Schema): Write {
  const write: Write = fastJson(schema)
  writers.set(schema, write)
  return write
}

/** Bodies are validated without coercion. Paths, queries and headers are text, so they are coerced to the schema's types. */
export function registerValidation(app: FastifyInstance): void {
  app.setValidatorCompiler(({ schema, httpPart = 'body' }) => compile(validators[httpPart] ?? texts, schema as object))
  app.setSerializerCompiler<Schema>(
    ({ schema }) =>
      (data) =>
        (writers.get(schema) ?? compileWriter(schema))(data),
  )
}

function fieldName(error: FastifySchemaValidationError): string {
  const missing = error.params['missingProperty']
  const path = [...error.instancePath.split('/').slice(1), ...(typeof missing === 'string' ? [missing] : [])]
  const last = path.findLast((part) => !/^\d+$/.test(part)) ?? 'the request'
  const words = last
    .replaceAll(/([A-Z0-9]+)/g, ' $1')
    .toLowerCase()
    .trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const sentences: Record<string, (params: Record<string, unknown>) => string> = {
  required: () => 'is required',
  minLength: ({ limit }) => (limit === 1 ? 'is required' : `needs at least ${plural(Number(limit), 'character')}`),
  maxLength: ({ limit }) => `is too long (${plural(Number(limit), 'character')} at most)`,
  minItems: ({ limit }) => `needs at least ${plural(Number(limit), 'entry', 'entries')}`,
  maxItems: ({ limit }) => `has too many entries (${String(limit)} at most)`,
  minimum: ({ limit }) => `must be ${figure(limit)} or more`,
  maximum: ({ limit }) => `must be ${figure(limit)} or less`,
  type: ({ type }) => `must be ${article(String(type))}`,
  enum: ({ allowedValues }) => `must be one of ${(allowedValues as unknown[]).join(', ')}`,
  const: ({ allowedValue }) => `must be ${String(allowedValue)}`,
  format: ({ format }) =>
    format === 'email' ? 'must be one address, such as name@dealership.com' : `is not a valid ${String(format)}`,
  pattern: () => 'is not in the expected format',
  characters: () => 'contains a character that cannot be saved',
}

/** Formats a limit. Numbers below 10,000, such as years, get no comma. */
const figure = (limit: unknown): string =>
  typeof limit === 'number' && limit >= 10_000 ? formatNumber(limit) : String(limit)

function article(type: string): string {
  const words: Record<string, string> = {
    string: 'text',
    integer: 'a whole number',
    number: 'a number',
    boolean: 'yes or no',
    array: 'a list',
    object: 'an object',
  }
  return words[type] ?? type
}

export function validationMessage(errors: FastifySchemaValidationError[], context: string | undefined) {
  // A failed union reports every branch. List its `const` values as one choice.
  const consts = errors.filter((error) => error.keyword === 'const')
  const named = errors.find((error) => sentences[error.keyword] !== undefined && error.keyword !== 'const') ?? errors[0]
  const fields = [...new Set(errors.map(fieldName))]
  if (named === undefined) return { message: `The ${context ?? 'request'} is not valid`, fields }
  if (consts.length > 1 && named.keyword !== 'required') {
    const first = consts[0] ?? named
    return {
      message: `${fieldName(first)} must be one of ${consts.map((error) => String(error.params['allowedValue'])).join(', ')}`,
      fields,
    }
  }
  const sentence = sentences[named.keyword]?.(named.params) ?? 'is not valid'
  return { message: `${fieldName(named)} ${sentence}`, fields }
}
