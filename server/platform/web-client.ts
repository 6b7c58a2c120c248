import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyPluginAsync } from 'fastify'
import type { Context } from './context.ts'
import { sendNotFound } from './http-errors.ts'

const yearSeconds = 31_536_000

/** The built client: hashed assets for ever, the page itself asked for again each time. Unknown paths get the page. */
export const webClient: FastifyPluginAsync<{ ctx: Context; root: string }> = async (app, { root }) => {
  await app.register(fastifyStatic, {
    root,
    wildcard: false,
    index: false,
    cacheControl: false,
    preCompressed: true,
    setHeaders(reply, path) {
      const hashed = path.includes(`${join('dist', 'client', 'assets')}`)
      reply.setHeader('cache-control', hashed ? `public, max-age=${yearSeconds}, immutable` : 'no-cache')
    },
  })
  const page = await readFile(join(root, 'index.html'), 'utf8')
  app.setNotFoundHandler((request, reply) => {
    const wantsPage = request.method === 'GET' && !/^\/(api|socket\.io|objects|health)(\/|$)/.test(request.url)
    if (!wantsPage) return sendNotFound(request, reply)
    void reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(page)
  })
  app.get('/', (_request, reply) => {
    void reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(page)
  })
}
