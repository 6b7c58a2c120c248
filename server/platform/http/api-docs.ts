import swagger, { type SwaggerTransformObject } from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifySchema } from 'fastify'
import fp from 'fastify-plugin'
import { ErrorBody } from '#shared/errors.ts'
import type { Context } from '../process/context.ts'
import { countRead, signedIn } from './guards.ts'
import { cookieName } from '../session/session.ts'

const documents = /\/(json|yaml)$/

interface Query {
  required?: string[]
  properties?: Record<string, object>
}

/** Marks query parameters with a default as optional. Our schemas mark them as required, because handlers always receive them. */
function withOptionalDefaults(schema: FastifySchema): FastifySchema {
  const { required, properties = {} } = (schema.querystring ?? {}) as Query
  if (required === undefined) return schema
  const asked = required.filter((name) => !('default' in (properties[name] ?? {})))
  return { ...schema, querystring: { ...(schema.querystring as object), required: asked } }
}

const bytes = { type: 'string', format: 'binary' }

/** Documents the body of a route that parses its own body: a file in a form, or the raw bytes. */
function withFile(schema: FastifySchema): FastifySchema {
  if (schema.consumes === undefined || schema.body !== undefined) return schema
  const inForm = schema.consumes.includes('multipart/form-data')
  return { ...schema, body: inForm ? { type: 'object', required: ['file'], properties: { file: bytes } } : bytes }
}

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

/** Placeholder for a named schema until the document is complete. Without it, the generator would inline the schema. */
const marker = 'x-schema'

interface Names {
  ofSchema: ReadonlyMap<unknown, string>
  /** Recognizes nullable copies of a named schema, which share its `properties` object. */
  ofProperties: ReadonlyMap<unknown, string>
}

const namesOf = (schemas: ReadonlyMap<object, string>): Names => ({
  ofSchema: schemas,
  ofProperties: new Map(
    [...schemas].flatMap(([schema, name]) => ('properties' in schema ? [[schema.properties, name] as const] : [])),
  ),
})

/** Replaces each named schema with a placeholder, except `own`, the schema whose definition is being written. */
function withMarkers(value: unknown, names: Names, own?: unknown): unknown {
  if (Array.isArray(value)) return value.map((part) => withMarkers(part, names))
  if (typeof value !== 'object' || value === null) return value
  const { properties, nullable, type = 'object' } = value as { properties?: unknown; nullable?: boolean; type?: string }
  const name = value === own ? undefined : (names.ofSchema.get(value) ?? names.ofProperties.get(properties))
  if (name !== undefined) return { type, [marker]: name, ...(nullable && { nullable }) }
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withMarkers(part, names)]))
}

function namedComponents(document: unknown, names: Names): Record<string, Json> {
  const byName = new Map([...names.ofSchema].map(([schema, name]) => [name, schema]))
  const components: Record<string, Json> = {}
  const waiting: unknown[] = [document]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
    for (const [, name = ''] of JSON.stringify(next).matchAll(/"x-schema":"(\w+)"/g)) {
      if (name in components) continue
      const component = withMarkers(byName.get(name), names, byName.get(name)) as Json
      components[name] = component
      waiting.push(component)
    }
  return Object.fromEntries(Object.entries(components).toSorted(([one], [other]) => one.localeCompare(other)))
}

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` })

const isObject = (value: Json | undefined): value is { [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** OpenAPI 3.0 has no null type, so a union with null becomes `nullable: true`. */
function withoutNull(value: { [name: string]: Json }): { [name: string]: Json } {
  const { anyOf, ...rest } = value
  if (!Array.isArray(anyOf)) return value
  const [first, ...others] = anyOf.filter((member) => !isObject(member) || member['type'] !== 'null')
  if (!isObject(first) || others.length + 1 === anyOf.length) return value
  const nullable = { ...first, nullable: true }
  return others.length === 0 ? { ...rest, ...nullable } : { ...rest, anyOf: [nullable, ...others] }
}

/** Converts a schema to OpenAPI 3.0. A nullable reference needs `allOf`, because a `$ref` allows no sibling keywords. */
function asOpenApi(value: Json): Json {
  if (Array.isArray(value)) return value.map(asOpenApi)
  if (!isObject(value)) return value
  if (value['type'] === 'null') return { type: 'object', nullable: true, enum: [null] }
  const {
    trim,
    lowerCase: _ours,
    exclusiveMinimum,
    const: only,
    patternProperties,
    [marker]: name,
    ...rest
  } = withoutNull(value)
  if (typeof name === 'string')
    return rest['nullable'] === true
      ? { type: rest['type'] ?? 'object', nullable: true, allOf: [reference(name)] }
      : reference(name)
  const converted = Object.fromEntries(Object.entries(rest).map(([name, about]) => [name, asOpenApi(about)]))
  return {
    ...converted,
    // `trim` can be one of our own keywords, which is dropped, or a vehicle's property, which is an object.
    ...(typeof trim === 'object' && { trim: asOpenApi(trim) }),
    ...(only !== undefined && { enum: [only] }),
    ...(isObject(patternProperties) && {
      additionalProperties: asOpenApi(Object.values(patternProperties)[0] ?? true),
    }),
    ...(typeof exclusiveMinimum === 'number' && { minimum: exclusiveMinimum, exclusiveMinimum: true }),
  }
}

const refusal = {
  description:
    'The request was rejected. `code` is the machine-readable reason and `message` the text for people. For 429 and 503, Retry-After is the number of seconds to wait.',
  content: { 'application/json': { schema: ErrorBody } },
}

type Documented = Extract<Parameters<SwaggerTransformObject>[0], { openapiObject: object }>['openapiObject']

function asDocument(
  documented: Documented,
  names: Names,
  tagDescriptions: Readonly<Record<string, string>>,
): Documented {
  const calls = Object.values(documented.paths ?? {}).flatMap(
    (path) => Object.values(path ?? {}) as { responses: object; tags?: string[] }[],
  )
  for (const call of calls) call.responses = { ...call.responses, default: { $ref: '#/components/responses/Refusal' } }
  const tags = [...new Set(calls.flatMap((call) => call.tags ?? []))]
    .toSorted()
    .map((name) => ({ name, description: tagDescriptions[name] }))
  const components = {
    ...documented.components,
    schemas: namedComponents(documented.paths, names),
    responses: { Refusal: refusal },
  }
  return asOpenApi({ ...documented, tags, components } as unknown as Json) as unknown as Documented
}

interface Operation {
  operationId: string
  tag: string
  summary: string
  isPublic: boolean
}

interface ApiDocs {
  ctx: Context
  /** Returns the minimum API key scope for a call, or undefined if the call does not accept API keys. */
  keyOf: (method: string, path: string) => 'read' | 'full' | undefined
  operationOf: (method: string, path: string) => Operation | undefined
  tagDescriptions: Readonly<Record<string, string>>
  schemas: ReadonlyMap<object, string>
}

const securityOf = (key: 'read' | 'full' | undefined): Record<string, string[]>[] =>
  key === undefined ? [{ session: [] }] : [{ session: [] }, { [key]: [] }]

/** Serves the OpenAPI document of the routes in this scope under `docs`, for signed-in dealers only. */
export const apiDocs = fp<ApiDocs>(async (app, { ctx, keyOf, operationOf, tagDescriptions, schemas }) => {
  const names = namesOf(schemas)
  await app.register(swagger, {
    openapi: {
      openapi: '3.0.3',
      info: {
        title: 'Lanewire API',
        version: '1.0.0',
        description: 'Every call the product makes, plus the Stripe webhook.',
        license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
      },
      servers: [{ url: '/' }],
      components: {
        securitySchemes: {
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: cookieName(ctx.config),
            description: 'Any signed-in user',
          },
          read: { type: 'http', scheme: 'bearer', description: 'An API key of any scope' },
          full: { type: 'http', scheme: 'bearer', description: 'An API key with full access' },
        },
      },
    },
    transform({ schema, url, route }) {
      const { body, response, ...asked } = withFile(withOptionalDefaults(schema ?? {}))
      const { tag, isPublic, ...named } = operationOf(String(route.method), url) ?? { tag: 'other', isPublic: false }
      return {
        url,
        schema: {
          ...asked,
          ...named,
          tags: [tag],
          security: isPublic ? [] : securityOf(keyOf(String(route.method), url)),
          ...(body !== undefined && { body: withMarkers(body, names) }),
          ...(response !== undefined && { response: withMarkers(response, names) }),
        },
      }
    },
    transformObject: (made) =>
      'openapiObject' in made ? asDocument(made.openapiObject, names, tagDescriptions) : made.swaggerObject,
  })
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    indexPrefix: app.prefix,
    uiHooks: {
      onRequest: (request, _reply, done) => void signedIn(request).then(() => done(), done),
      preHandler: (request, _reply, done) => {
        if (!documents.test(request.routeOptions.url ?? '')) return done()
        return void countRead(ctx, request.actor, 'docs').then(() => done(), done)
      },
    },
  })
})
