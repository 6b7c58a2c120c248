import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import Type from 'typebox'
import { photoMaxBytes, photoWidths } from '#shared/limits.ts'
import { ObjectStatus, UploadRequest, UploadTicket } from '#shared/schemas/uploads.ts'
import { notFound } from '#server/errors.ts'
import type { Context } from '#server/platform/process/context.ts'
import { ownOrigin } from '#server/platform/http/csrf.ts'
import { signedIn } from '#server/platform/http/guards.ts'
import { ById } from '#server/platform/http/route-schemas.ts'
import { objectPath, originalKey, sizeKey } from './object-keys.ts'
import { allowUpload, chooseWidth, defaultWidth, readFile, readStatus, receiveFile } from './uploads.service.ts'
import type { ObjectRow } from './uploads.repository.ts'

const Terms = Type.Object({
  expires: Type.Integer(),
  max: Type.Integer({ maximum: photoMaxBytes }),
  type: Type.Optional(Type.String({ maxLength: 100 })),
  signature: Type.String({ maxLength: 100 }),
})
/** Seconds until the client asks again for a picture that is being processed. A live event usually arrives sooner. */
const retryAfterSeconds = 2
const Wanted = Type.Object({ w: Type.Optional(Type.Integer({ minimum: 1, maximum: photoWidths.at(-1) ?? 1 })) })

export const uploadsRoutes: FastifyPluginAsyncTypebox<{ ctx: Context }> = async (app, { ctx }) => {
  app.post(
    '/objects/upload',
    { onRequest: signedIn, schema: { body: UploadRequest, response: { 200: UploadTicket } } },
    async (request) => {
      const { objectId, query } = await allowUpload(ctx, request.actor, request.body)
      const origin = ownOrigin(ctx.config, request)
      return { objectId, uploadURL: `${origin}${objectPath(objectId)}?${query}` }
    },
  )

  app.get(
    '/objects/:id/status',
    { onRequest: signedIn, schema: { params: ById, response: { 200: ObjectStatus } } },
    async (request) => readStatus(ctx, request.actor, request.params.id),
  )

  app.get(
    '/objects/:id',
    { onRequest: signedIn, schema: { params: ById, querystring: Wanted } },
    async (request, reply) => {
      void reply.header('cache-control', 'no-store')
      const object = await readFile(ctx, request.actor, request.params.id)
      if (object.state === 'stored') return reply.code(202).header('retry-after', retryAfterSeconds).send()
      if (object.state !== 'ready') throw notFound('This file')
      return sendReady(ctx, reply, object, request.query.w ?? defaultWidth, request.headers['if-none-match'])
    },
  )

  // Use a separate scope, because only this route receives a body of any content type as a stream.
  await app.register(async (raw) => {
    raw.removeAllContentTypeParsers()
    raw.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    raw.put<{
      Params: { id: string }
      Querystring: { expires: number; max: number; type?: string; signature: string }
    }>(
      '/objects/:id',
      { bodyLimit: photoMaxBytes, schema: { consumes: ['*/*'], params: ById, querystring: Terms } },
      async (request, reply) => {
        const length = request.headers['content-length']
        await receiveFile(ctx, {
          objectId: request.params.id,
          query: request.query,
          contentType: request.headers['content-type'] ?? '',
          declaredBytes: length === undefined ? undefined : Number(length),
          body: request.body instanceof Readable ? request.body : Readable.from([]),
        })
        return reply.code(200).send()
      },
    )
  })
}

async function sendReady(
  ctx: Context,
  reply: FastifyReply,
  object: ObjectRow,
  wanted: number,
  known: string | undefined,
) {
  const width = chooseWidth(object.widths, wanted)
  const etag = `"${object.id}-${width ?? 'file'}"`
  // The browser must revalidate the file before each use, because the dealer may have signed out or lost access to it.
  void reply.header('cache-control', 'private, no-cache').header('etag', etag)
  if (known === etag) return reply.code(304).send()
  const file = await ctx.storage.open(width === undefined ? originalKey(object.id) : sizeKey(object.id, width))
  if (file === undefined) {
    void reply.header('cache-control', 'no-store').removeHeader('etag')
    throw notFound('This file')
  }
  if (width === undefined) void reply.header('content-disposition', 'attachment')
  return reply
    .type(object.contentType ?? 'application/octet-stream')
    .header('content-length', file.bytes)
    .send(file.body)
}
