import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'

const encodings = ['br', 'gzip'] as const
export type Encoding = (typeof encodings)[number]

/** The best of our encodings that a caller takes; undefined: the bytes as they are (RFC 9110 §12.5.3). */
function acceptedEncoding({ headers }: FastifyRequest): Encoding | undefined {
  const accepted = String(headers['accept-encoding'] ?? '').toLowerCase()
  const weights = new Map(
    accepted.split(',').map((part) => {
      const [name = '', weight = 'q=1'] = part.split(';').map((word) => word.trim())
      return [name, Number(weight.slice('q='.length))]
    }),
  )
  return encodings.find((name) => (weights.get(name) ?? weights.get('*') ?? 0) > 0)
}

/**
 * Chooses the encoding and names it in the answer. A strong tag is one of bytes: each encoding has its own.
 * @param etag of the content, quoted
 * @returns `isKnown`: the caller has this very body, and gets a 304
 */
export function negotiate(
  request: FastifyRequest,
  reply: Pick<FastifyReply, 'header'>,
  etag: string,
): { encoding: Encoding | undefined; isKnown: boolean } {
  const encoding = acceptedEncoding(request)
  const tag = encoding === undefined ? etag : etag.replace(/"$/, `-${encoding}"`)
  void reply.header('etag', tag).header('vary', 'Accept-Encoding')
  const tags = (request.headers['if-none-match'] ?? '').split(',').map((one) => one.trim().replace(/^W\//, ''))
  const known = new Set(tags)
  return { encoding, isKnown: known.has(tag) || known.has('*') }
}

/** Below this an encoding saves no packet. */
const leastBytes = 1_024
const versionsMax = 200
/** Half as large again as the best and a twentieth of its time. */
const brotliParams = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }
const compress = {
  br: async (plain: Buffer) => promisify(brotliCompress)(plain, brotliParams),
  gzip: async (plain: Buffer) => promisify(gzip)(plain),
}

interface Version extends Partial<Record<Encoding, Promise<Buffer>>> {
  plain: Buffer
}

interface Shared {
  /** Strong and quoted: of another content another one. */
  etag: string
  /** Writes the content; asked for once, not for each caller. */
  write: () => string
}

/**
 * Answers that are the same for whoever may have them: written once and compressed once per version. For nothing else: in a
 * compressed body that holds a caller's secret beside what another has written, its length would tell the secret (BREACH).
 */
export function createSharedBodies() {
  const versions = new LRUCache<string, Version>({ max: versionsMax })
  return async (request: FastifyRequest, reply: FastifyReply, { etag, write }: Shared): Promise<Buffer | undefined> => {
    const { encoding, isKnown } = negotiate(request, reply, etag)
    if (isKnown) return undefined
    const version: Version = versions.get(etag) ?? { plain: Buffer.from(write()) }
    versions.set(etag, version)
    void reply.type('application/json; charset=utf-8')
    if (encoding === undefined || version.plain.length < leastBytes) return version.plain
    void reply.header('content-encoding', encoding)
    return (version[encoding] ??= compress[encoding](version.plain))
  }
}
