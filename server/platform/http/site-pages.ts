import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { negotiate } from './shared-body.ts'

export interface Document {
  etag: string
  plain: Buffer
  br: Buffer
  gzip: Buffer
}

export interface SitePages {
  find(path: string): Document | undefined
  landing: Document
  landingBeforeSetup: Document
  listed: string[]
}

/** These attributes hide the setup notice in client/pages/site/landing.tsx. The server removes them while the network has no admin. */
const hiddenNotice = 'hidden="" data-setup=""'

interface PageEntry {
  path: string
  file: string
  listed: boolean
}

/** The best level would make the output 10% smaller but each startup 0.4 s slower. */
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

export function toDocument(html: string): Document {
  const plain = Buffer.from(html)
  const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`
  return { etag, plain, br: brotliCompressSync(plain, brotli), gzip: gzipSync(plain) }
}

/** Reads the prerendered pages and inserts this installation's URL. @throws if the client is not built */
export async function loadSitePages(folder: string, origin: string): Promise<SitePages> {
  const entries = JSON.parse(await readFile(join(folder, 'pages.json'), 'utf8')) as PageEntry[]
  const documents = new Map<string, Document>()
  let beforeSetup: Document | undefined
  for (const { path, file } of entries) {
    const html = await readFile(join(folder, file), 'utf8')
    const page = html.replaceAll('%ORIGIN%', origin)
    documents.set(path, toDocument(page))
    if (path === '/') beforeSetup = toDocument(page.replace(hiddenNotice, ''))
  }
  const landing = documents.get('/')
  if (landing === undefined || beforeSetup === undefined)
    throw new Error(`${folder} has no landing page: build the client again`)
  return {
    find: (path) => documents.get(path.length > 1 ? path.replace(/\/$/, '') : path),
    landing,
    landingBeforeSetup: beforeSetup,
    listed: entries.filter((entry) => entry.listed).map((entry) => entry.path),
  }
}

/** Sends a page. It varies by cookie, because the same address shows signed-in dealers the app. */
export function sendDocument(request: FastifyRequest, reply: FastifyReply, document: Document): void {
  void reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache')
  const { encoding, isKnown } = negotiate(request, reply, document.etag)
  void reply.header('vary', 'Cookie, Accept-Encoding')
  if (isKnown) {
    void reply.code(304).send()
    return
  }
  if (encoding !== undefined) void reply.header('content-encoding', encoding)
  void reply.send(encoding === undefined ? document.plain : document[encoding])
}

export function sitemap(origin: string, paths: readonly string[]): string {
  const urls = paths.map((path) => `  <url><loc>${origin}${path}</loc></url>`).join('\n')
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls}\n</urlset>\n`
}

export function robots(origin: string): string {
  return `User-agent: *\nDisallow: /api/\nAllow: /\n\nSitemap: ${origin}/sitemap.xml\n`
}
