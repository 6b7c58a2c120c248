import swagger, { type SwaggerTransformObject } from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifySchema } from 'fastify'
import fp from 'fastify-plugin'
import { ErrorBody } from '#shared/errors.ts'
import type { Context } from './context.ts'
import { countRead, signedIn } from './guards.ts'
import { cookieName } from './session.ts'

const documents = /\/(json|yaml)$/

interface Query {
  required?: string[]
  properties?: Record<string, object>
}

/** What has a default need not be sent, whatever the schema says of what the route then gets. */
function asAsked(schema: FastifySchema): FastifySchema {
  const { required, properties = {} } = (schema.querystring ?? {}) as Query
  if (required === undefined) return schema
  const asked = required.filter((name) => !('default' in (properties[name] ?? {})))
  return { ...schema, querystring: { ...(schema.querystring as object), required: asked } }
}

const bytes = { type: 'string', format: 'binary' }

/** What a route that reads its body by itself `consumes`, as what is sent there: a file in a form, or as it is. */
function withFile(schema: FastifySchema): FastifySchema {
  if (schema.consumes === undefined || schema.body !== undefined) return schema
  const inForm = schema.consumes.includes('multipart/form-data')
  return { ...schema, body: inForm ? { type: 'object', required: ['file'], properties: { file: bytes } } : bytes }
}

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

/** As OpenAPI 3.0 has it: no keyword of ours, and a limit that is itself too much is a mark on the limit. */
function asOpenApi(value: Json): Json {
  if (Array.isArray(value)) return value.map(asOpenApi)
  if (typeof value !== 'object' || value === null) return value
  const { trim, lowerCase: _ours, exclusiveMinimum, ...rest } = value
  const kept = Object.fromEntries(Object.entries(rest).map(([name, about]) => [name, asOpenApi(about)]))
  return {
    ...kept,
    // A vehicle has a property of that name, which is a schema.
    ...(typeof trim === 'object' && { trim: asOpenApi(trim) }),
    ...(typeof exclusiveMinimum === 'number' && { minimum: exclusiveMinimum, exclusiveMinimum: true }),
  }
}

/** Any call may answer this instead, whatever its status says. */
const refusal = {
  description:
    'Refused: `code` says why, `message` says it to a person. Of 429 and 503, Retry-After says in how many seconds to come back.',
  content: { 'application/json': { schema: ErrorBody } },
}

type Documented = Extract<Parameters<SwaggerTransformObject>[0], { openapiObject: object }>['openapiObject']

function asDocument(documented: Documented): Documented {
  const calls = Object.values(documented.paths ?? {}).flatMap(
    (path) => Object.values(path ?? {}) as { responses: object }[],
  )
  for (const call of calls) call.responses = { ...call.responses, default: { $ref: '#/components/responses/Refusal' } }
  const components = { ...documented.components, responses: { Refusal: refusal } }
  return asOpenApi({ ...documented, components } as unknown as Json) as unknown as Documented
}

interface ApiDocs {
  ctx: Context
  /** The least that a key has to be for this call; undefined where keys are not accepted. */
  keyOf: (method: string, path: string) => 'read' | 'full' | undefined
}

/** OpenAPI from the schemas of the routes beside it, for signed-in dealers, at `docs` below them. */
export const apiDocs = fp<ApiDocs>(async (app, { ctx, keyOf }) => {
  await app.register(swagger, {
    openapi: {
      openapi: '3.0.3',
      info: {
        title: 'Lanewire API',
        version: '1.0.0',
        description: 'Every call that the product makes, and the one that Stripe makes.',
      },
      components: {
        securitySchemes: {
          session: { type: 'apiKey', in: 'cookie', name: cookieName(ctx.config), description: 'Whoever is signed in' },
          read: { type: 'http', scheme: 'bearer', description: 'An API key of any scope' },
          full: { type: 'http', scheme: 'bearer', description: 'An API key with full access' },
        },
      },
    },
    transform({ schema, url, route }) {
      const key = keyOf(String(route.method), url)
      const security = key && [{ session: [] }, { [key]: [] }]
      return { url, schema: { ...withFile(asAsked(schema ?? {})), ...(security && { security }) } }
    },
    transformObject: (made) => ('openapiObject' in made ? asDocument(made.openapiObject) : made.swaggerObject),
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
