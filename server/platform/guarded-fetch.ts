import { lookup as resolve } from 'node:dns'
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

export interface GuardedFetchOptions {
  accept: string
  maxBytes: number
  timeoutMs: number
  /** Hosts that may have private addresses, as `host:port` (`host` for a default port). Empty in production. */
  privateHosts: readonly string[]
}

export interface FetchedFile {
  content: Buffer
  contentType: string
  url: string
}

export type FetchFault = 'private' | 'late' | 'unreachable' | 'refused'

/** Thrown if a request was refused or failed. The message is for the person who entered the link. */
export class FetchRefused extends Error {
  readonly fault: FetchFault
  constructor(message: string, fault: FetchFault = 'refused') {
    super(message)
    this.fault = fault
  }
}

const isPrivate = () => new FetchRefused('The link points to a private address', 'private')

const maxRedirects = 5

/** IPv4-compatible IPv6 addresses, which are deprecated (RFC 4291, 2.5.5.1). ipaddr.js does not classify them. */
const embedded = new BlockList()
embedded.addSubnet('::', 96, 'ipv6')

/** True for addresses of the public internet (RFC 6890 and its successors). */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0 || (isIPv6(address) && embedded.check(address, 'ipv6'))) return false
  return ipaddr.process(address).range() === 'unicast'
}

/**
 * Fetches a link that a user typed, if it leads to a public address. The check uses the same DNS response as the connection, which
 * prevents DNS rebinding. @throws FetchRefused with a message for that user
 */
export async function guardedFetch(link: string, options: GuardedFetchOptions): Promise<FetchedFile> {
  const deadline = AbortSignal.timeout(options.timeoutMs)
  let url = link
  for (let hop = 0; hop <= maxRedirects; hop++) {
    const answer = await send(url, options, deadline)
    const status = answer.statusCode ?? 0
    const next = answer.headers.location
    if (status >= 300 && status < 400 && next !== undefined && URL.canParse(next, url)) {
      answer.destroy()
      url = new URL(next, url).href
      continue
    }
    if (status !== 200) {
      answer.destroy()
      throw new FetchRefused(
        status === 401 || status === 403 || status === 404
          ? `The link is not publicly accessible (it returned status ${status})`
          : `The link returned status ${status}`,
      )
    }
    const content = await readWhole(answer, options.maxBytes, deadline)
    return { content, contentType: answer.headers['content-type'] ?? '', url }
  }
  throw new FetchRefused('The link redirects too many times')
}

export interface GuardedRequest {
  headers: Readonly<Record<string, string>>
  body: Buffer
  timeoutMs: number
  privateHosts: readonly string[]
}

const answerMaxBytes = 4_096

/** Sends a POST request without following redirects. @throws FetchRefused if the link is invalid or private, or does not respond */
export async function guardedPost(
  link: string,
  { headers, body, timeoutMs, privateHosts }: GuardedRequest,
): Promise<{ status: number; retryAfter: string | undefined }> {
  const signal = AbortSignal.timeout(timeoutMs)
  const answer = await open(link, { method: 'POST', headers, privateHosts, signal, body })
  let bytes = 0
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > answerMaxBytes) break
    }
  } catch (error) {
    throw toRefusal(error, signal)
  }
  return { status: answer.statusCode ?? 0, retryAfter: answer.headers['retry-after'] }
}

const send = (link: string, { accept, privateHosts }: GuardedFetchOptions, signal: AbortSignal) =>
  open(link, { method: 'GET', headers: { accept, 'accept-encoding': 'identity' }, privateHosts, signal })

interface Opening {
  method: 'GET' | 'POST'
  headers: Readonly<Record<string, string>>
  privateHosts: readonly string[]
  signal: AbortSignal
  body?: Buffer
}

function open(link: string, { method, headers, privateHosts, signal, body }: Opening): Promise<IncomingMessage> {
  const url = URL.canParse(link) ? new URL(link) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new FetchRefused('The link must start with https:// or http://')
  if (url.username !== '' || url.password !== '') throw new FetchRefused('The link must not contain a password')
  const trusted = privateHosts.includes(url.host)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (!trusted && isIP(host) !== 0 && !isPublicAddress(host)) throw isPrivate()
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest
  const settings: RequestOptions = {
    method,
    signal,
    headers: { ...headers, 'user-agent': 'Lanewire' },
    ...(!trusted && { lookup: publicLookup }),
  }
  return new Promise((done, failed) => {
    const outgoing = request(url, settings, done)
    outgoing.on('error', (error) => failed(toRefusal(error, signal)))
    outgoing.end(body)
  })
}

/** Resolves a host name for a connection. Fails if any of its addresses is private. */
const publicLookup: LookupFunction = (hostname, options, callback) => {
  resolve(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, [])
    if (addresses.length === 0 || !addresses.every(({ address }) => isPublicAddress(address)))
      return callback(isPrivate(), [])
    return options.all ? callback(null, addresses) : callback(null, addresses[0]?.address ?? '', addresses[0]?.family)
  })
}

async function readWhole(answer: IncomingMessage, maxBytes: number, signal: AbortSignal): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > maxBytes) throw new FetchRefused(`The file is larger than ${Math.floor(maxBytes / 1024 / 1024)} MB`)
      chunks.push(chunk)
    }
  } catch (error) {
    throw toRefusal(error, signal)
  }
  return Buffer.concat(chunks, bytes)
}

/** @param signal the request's timeout. If it aborts while the body loads, the error is only a connection reset. */
function toRefusal(error: unknown, signal: AbortSignal): Error {
  if (error instanceof FetchRefused) return error
  if (signal.aborted || (error instanceof Error && error.name === 'AbortError'))
    return new FetchRefused('The link took too long to answer', 'late')
  return new FetchRefused('The link could not be reached', 'unreachable')
}
