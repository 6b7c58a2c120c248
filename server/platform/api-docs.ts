import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import fp from 'fastify-plugin'
import type { Context } from './context.ts'
import { countRead, signedIn } from './guards.ts'

const documents = /\/(json|yaml)$/

/** OpenAPI from the schemas of the routes beside it, for signed-in dealers, at `docs` below them. */
export const apiDocs = fp<{ ctx: Context }>(async (app, { ctx }) => {
  await app.register(swagger, {
    openapi: {
      openapi: '3.0.3',
      info: { title: 'Lanewire API', version: '1.0.0', description: 'Every call the product itself makes.' },
    },
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
