import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic, { type SetHeadersResponse } from '@fastify/static'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { siteFolder, visitorAppPage } from '#shared/visitor-pages.ts'
import type { Context } from '../process/context.ts'
import { sendNotFound } from './http-errors.ts'
import { publicLink } from '../mail/mail.ts'
import { builtClient } from '../storage/own-files.ts'
import { cookieName, resolveActor, type ActorCache } from '../session/session.ts'
import { loadSitePages, robots, sendDocument, sitemap, toDocument } from './site-pages.ts'

const yearSeconds = 31_536_000

/** Below these prefixes, unknown paths get a JSON 404 instead of a page. */
const notPages = ['/health', '/objects', '/socket.io']

interface WebClientParts {
  ctx: Context
  actors: ActorCache
  root: string
  site: string
  /** Returns the API calls that the app makes first when it opens at this URL. */
  firstCalls: (url: string) => string[]
  /** True while the network has no admin. The landing page then links to the setup. */
  needsSetup: () => Promise<boolean>
}

/** Returns a Link header that makes the browser send the app's first API calls while it is still loading the app's scripts. */
const preloadLink = (paths: string[]): string =>
  paths.map((path) => `<${path}>; rel=preload; as=fetch; crossorigin=use-credentials`).join(', ')

function pathOf(request: FastifyRequest): string {
  const path = request.url.split('?')[0] ?? '/'
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** If the database is down, every visitor with a session cookie counts as signed in, so the app can show the error. */
async function isSignedIn(ctx: Context, actors: ActorCache, request: FastifyRequest): Promise<boolean> {
  const secret = request.cookies[cookieName(ctx.config)]
  if (secret === undefined) return false
  return resolveActor(ctx, actors, secret).then(
    (actor) => actor !== undefined,
    () => true,
  )
}

/** Redirects a share from a phone's share menu that no service worker intercepted. The app then explains the problem. */
export function answerShares(app: FastifyInstance): void {
  app.post('/share', {
    config: { fromAnySite: true },
    onRequest: async (_request, reply) => reply.redirect('/?share=none', 303),
    handler: async () => undefined,
  })
}

/** Serves the app to signed-in dealers and public pages to visitors. With `?public`, dealers get a public page, too. */
export const webClient: FastifyPluginAsync<WebClientParts> = async (app, parts) => {
  const { ctx, actors, root, site, firstCalls, needsSetup } = parts
  const files = (cacheControl: string) => ({
    index: false as const,
    cacheControl: false,
    preCompressed: true,
    setHeaders(reply: SetHeadersResponse) {
      reply.setHeader('vary', 'Accept-Encoding')
      reply.setHeader('cache-control', cacheControl)
    },
  })
  // One wildcard route serves the hundreds of assets. The other files get a route each, so that every other path is a page.
  await app.register(fastifyStatic, { ...files('no-cache'), root, wildcard: false, globIgnore: ['assets/**'] })
  await app.register(
    async (assets) => {
      assets.setNotFoundHandler(sendNotFound)
      const lasting = files(`public, max-age=${yearSeconds}, immutable`)
      await assets.register(fastifyStatic, { ...lasting, root: join(root, 'assets'), decorateReply: false })
    },
    { prefix: '/assets' },
  )
  const origin = publicLink(ctx.config, '')
  const pages = await loadSitePages(join(site, siteFolder(ctx.config)), origin)
  const shell = toDocument(await readFile(join(root, 'index.html'), 'utf8'))

  let isSetUp = false
  /** While the database is down, assumes that the network has an admin. */
  async function isSetupNeeded(): Promise<boolean> {
    if (isSetUp) return false
    const needed = await needsSetup().catch(() => undefined)
    isSetUp = needed === false
    return needed === true
  }

  async function sendPage(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const path = pathOf(request)
    const asked = request.query as Record<string, unknown>
    const page = pages.find(path)
    const signedIn = !('public' in asked && page) && (await isSignedIn(ctx, actors, request))
    if (signedIn) void reply.header('link', preloadLink(firstCalls(request.url)))
    if (signedIn || visitorAppPage.test(path)) sendDocument(request, reply, shell)
    else {
      if (page === undefined) void reply.header('x-robots-tag', 'noindex')
      const shown = page ?? pages.landing
      sendDocument(
        request,
        reply,
        shown === pages.landing && (await isSetupNeeded()) ? pages.landingBeforeSetup : shown,
      )
    }
    return reply
  }

  app.get('/sitemap.xml', async (_request, reply) =>
    reply.type('application/xml; charset=utf-8').send(sitemap(origin, pages.listed)),
  )
  app.get('/robots.txt', async (_request, reply) => reply.type('text/plain; charset=utf-8').send(robots(origin)))
  app.get('/', sendPage)
  // The service worker caches this page, so it must be the same for everybody.
  app.get('/offline', async (request, reply) => {
    sendDocument(request, reply, pages.find('/offline') ?? pages.landing)
    return reply
  })
  for (const prefix of notPages)
    await app.register(async (scope) => void scope.setNotFoundHandler(sendNotFound), { prefix })
  app.setNotFoundHandler(async (request, reply) => {
    if (request.method === 'GET' || request.method === 'HEAD') return sendPage(request, reply)
    return sendNotFound(request, reply)
  })
}

const buildIdLength = 12

/** Returns a hash of index.html, which names every asset. Returns `source` if the server does not run from a build. */
export async function readBuildId(): Promise<string> {
  if (builtClient === undefined) return 'source'
  const index = await readFile(join(builtClient, 'index.html'))
  return createHash('sha256').update(index).digest('hex').slice(0, buildIdLength)
}
