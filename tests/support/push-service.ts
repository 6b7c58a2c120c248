import { createECDH, createPublicKey, type ECDH, randomBytes, verify } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decrypt } from 'http_ece'
import type { Test } from 'tap'
import type { PushDevice, PushState } from '#shared/schemas/push.ts'
import type { Caller } from './app.ts'

export interface ReceivedPush {
  ttl: number
  topic: string | undefined
  urgency: string | undefined
  payload: {
    web_push: number
    app_badge: number
    notification: { title: string; body: string; navigate: string; tag: string; silent: boolean }
  }
}

/** The response of the push service: a status, a redirect, or none (`hang`). */
export type PushAnswer = number | { status: number; headers: Record<string, string> } | 'hang'

/** A browser with a push subscription. */
export interface TestBrowser {
  endpoint: string
  keys: { p256dh: string; auth: string }
  received: ReceivedPush[]
  /** Responses to the next requests, in order. Later requests get 201. */
  answers: PushAnswer[]
}

/** A fake push service (RFC 8030) that verifies the sender (RFC 8292) and decrypts the messages (RFC 8291). */
export interface PushService {
  /** The host and port, for FETCH_PRIVATE_HOSTS. */
  host: string
  subscribe(): TestBrowser
  /** Errors in requests that a real push service would refuse. */
  faults: string[]
  /** Returns the largest number of requests that hung at the same time. */
  mostHanging(): number
}

type Subscription = TestBrowser & { ecdh: ECDH; secret: Buffer }

/** Longest lifetime of a token in seconds (RFC 8292, section 2). */
const maxTokenSeconds = 24 * 3_600

/** Returns why the Authorization header is not a valid VAPID token, or undefined if it is valid. */
function vapidFault(header: string | undefined, audience: string): string | undefined {
  const [, token = '', key = ''] = /^vapid t=([^,]+), ?k=(.+)$/.exec(header ?? '') ?? []
  const [head = '', claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(key, 'base64url')
  if (point.length !== 65) return 'no VAPID key'
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')]
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
  const signed = Buffer.from(`${head}.${claims}`)
  if (!verify('sha256', signed, { key: publicKey, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url')))
    return 'wrong VAPID signature'
  return claimsFault(JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown>, audience)
}

function claimsFault({ aud, exp, sub }: Record<string, unknown>, audience: string): string | undefined {
  const secondsLeft = Number(exp) - Date.now() / 1_000
  if (aud !== audience) return `VAPID audience is ${String(aud)}`
  if (!(secondsLeft > 0 && secondsLeft <= maxTokenSeconds)) return `VAPID token ends in ${secondsLeft} s`
  return /^(mailto:|https:)/.test(String(sub)) ? undefined : `VAPID sub is ${String(sub)}`
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const text = (header: string | string[] | undefined) => (Array.isArray(header) ? header[0] : header)

export async function startPushService(t: Test): Promise<PushService> {
  const subscriptions = new Map<string, Subscription>()
  const faults: string[] = []
  let hanging = 0
  let mostHanging = 0
  let origin = ''
  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const browser = subscriptions.get(request.url ?? '')
    const body = await readBody(request)
    if (browser === undefined) return void response.writeHead(404).end()
    const { headers, method } = request
    const fault = method === 'POST' ? vapidFault(headers.authorization, origin) : `method ${method}`
    if (fault !== undefined) faults.push(fault)
    if (headers['content-encoding'] !== 'aes128gcm') faults.push(`encoding ${headers['content-encoding']}`)
    const answer = browser.answers.shift() ?? 201
    if (answer === 'hang') {
      hanging += 1
      mostHanging = Math.max(mostHanging, hanging)
      response.on('close', () => void (hanging -= 1))
      return
    }
    const { status, headers: sent = {} } = typeof answer === 'number' ? { status: answer } : answer
    if (status < 300) {
      const plain = decrypt(body, { version: 'aes128gcm', privateKey: browser.ecdh, authSecret: browser.secret })
      if (plain.length > 3_000) faults.push(`payload of ${plain.length} bytes`)
      const topic = text(headers['topic'])
      const push = {
        ttl: Number(headers['ttl']),
        topic,
        urgency: text(headers['urgency']),
        payload: JSON.parse(plain.toString()) as ReceivedPush['payload'],
      }
      browser.received.push(push)
    }
    response.writeHead(status, sent).end('x'.repeat(10_000))
  }
  const server = createServer((request, response) => void receive(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  origin = `http://127.0.0.1:${port}`
  return {
    host: `127.0.0.1:${port}`,
    faults,
    mostHanging: () => mostHanging,
    subscribe() {
      const ecdh = createECDH('prime256v1')
      const secret = randomBytes(16)
      const path = `/send/${randomBytes(8).toString('hex')}`
      const keys = { p256dh: ecdh.generateKeys().toString('base64url'), auth: secret.toString('base64url') }
      const browser: Subscription = { endpoint: origin + path, keys, received: [], answers: [], ecdh, secret }
      subscriptions.set(path, browser)
      return browser
    },
  }
}

export const register = (caller: Caller, { endpoint, keys }: TestBrowser, about: object = {}) =>
  caller.put<PushDevice & { error?: { message: string } }>('/api/push/devices', {
    endpoint,
    keys,
    label: 'Chrome on Android',
    ...about,
  })

export const devicesOf = async (caller: Caller): Promise<PushDevice[]> =>
  (await caller.get<PushState>('/api/push')).body.devices
