import { createHash, createPublicKey } from 'node:crypto'
import type { NotificationKind } from '#shared/settings.ts'
import type { RegisterPushDevice } from '#shared/schemas/push.ts'
import { cutText } from '#shared/cut-text.ts'
import { badRequest } from '#server/errors.ts'

/** `despiteBlock`: push the notice even if its recipient has blocked the other dealer, because it concerns a binding deal. */
export interface NoticeSource {
  noticeId: string
  despiteBlock?: boolean
}

/** A push is about a notice or a chat. Its content is read again before each delivery. */
export type PushSource = NoticeSource | { chatId: string }

/** Message urgency (RFC 8030, section 5.3). */
export type Urgency = 'low' | 'normal' | 'high'

export interface PushContent {
  title: string
  body: string
  path: string
  /** Replaces an earlier notification with the same tag, both at the push service and on the screen. */
  tag: string
  urgency: Urgency
  ttlSeconds: number
}

const hour = 3_600
const textMax = { title: 120, body: 240 }

const urgencies: Partial<Record<NotificationKind, Urgency>> = {
  outbid: 'high',
  won: 'high',
  deal: 'high',
  match: 'low',
  savedSearch: 'low',
}

/** Notices of these kinds are pushed even beyond the daily limit. */
export const isBinding = (kind: NotificationKind): boolean => kind === 'outbid' || kind === 'won' || kind === 'deal'

/** `isOutbid` is false for an `outbid` notice about a maximum bid that was not placed. */
export function hiddenTitle(kind: NotificationKind, isOutbid: boolean): string {
  if (kind === 'messages') return 'New message'
  if (isOutbid) return 'You have been outbid'
  return kind === 'won' || kind === 'deal' ? 'Your deal has an update' : 'New notification'
}

/** Returns the id after `/post/` or `/deals/` in a notice's path. */
const idIn = (path: string, folder: string): string | undefined =>
  path.startsWith(`/${folder}/`) ? path.slice(folder.length + 2).split(/[/?#]/)[0] : undefined

const postIdOf = (path: string): string | undefined => idIn(path, 'post')

function tagOf({ id, kind, path }: { id: string; kind: NotificationKind; path: string }): string {
  if (kind === 'outbid') return `auction:${postIdOf(path) ?? id}`
  if (kind === 'won' || kind === 'deal') return `deal:${idIn(path, 'deals') ?? postIdOf(path) ?? id}`
  return kind === 'match' || kind === 'savedSearch' ? 'match' : id
}

/** @param endsAt end of the auction, for an outbid notice */
export function contentOfNotice(
  notice: { id: string; kind: NotificationKind; title: string; body: string; path: string },
  endsAt: Date | undefined,
  now: Date,
): PushContent {
  const { kind, title, body, path } = notice
  const untilEnd = endsAt === undefined ? undefined : Math.ceil((endsAt.getTime() - now.getTime()) / 1_000)
  const isPassing = kind === 'match' || kind === 'savedSearch'
  return {
    title: cutText(title, textMax.title),
    body: cutText(body, textMax.body),
    path,
    tag: tagOf(notice),
    urgency: urgencies[kind] ?? 'normal',
    ttlSeconds: untilEnd ?? (isPassing ? hour : 24 * hour),
  }
}

/** The `Topic` header (RFC 8030, section 5.4): at most 32 characters of base64url. */
export const topicOf = (tag: string): string => createHash('sha256').update(tag).digest('base64url').slice(0, 24)

/** A pattern is a host such as `fcm.googleapis.com`, or begins with `*.` and matches every subdomain. */
export const patternOf = (host: string, patterns: readonly string[]): string | undefined =>
  patterns.find((pattern) => (pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern))

/** Names the push service. Each service has its own queue limit, so that a service that hangs does not delay the others. */
export function serviceOf(endpoint: string, patterns: readonly string[]): string {
  const { host } = new URL(endpoint)
  return patternOf(host, patterns) ?? host
}

export interface PushHosts {
  hosts: readonly string[]
  /** `host:port` pairs that may be private addresses without TLS, for development and tests. */
  privateHosts: readonly string[]
}

/** @throws 400 unless the endpoint is an https URL of a supported push service */
export function assertEndpoint(endpoint: string, { hosts, privateHosts }: PushHosts): void {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined
  if (url === undefined) throw badRequest('The endpoint must be a URL')
  if (url.username !== '' || url.password !== '') throw badRequest('The endpoint must not contain a password')
  if (privateHosts.includes(url.host) && /^https?:$/.test(url.protocol)) return
  if (url.protocol !== 'https:' || url.port !== '' || patternOf(url.hostname, hosts) === undefined)
    throw badRequest(`This push service is not supported: ${url.host}`)
}

const pointBytes = 65
const authBytes = 16

/** Decodes the keys. @throws 400 unless they are a P-256 point and 16 bytes */
export function readKeys({ p256dh, auth }: RegisterPushDevice['keys']): { p256dh: Buffer; auth: Buffer } {
  const keys = { p256dh: Buffer.from(p256dh, 'base64url'), auth: Buffer.from(auth, 'base64url') }
  if (!isPoint(keys.p256dh) || keys.auth.length !== authBytes)
    throw badRequest('The keys must be a P-256 point and 16 bytes')
  return keys
}

function isPoint(bytes: Buffer): boolean {
  if (bytes.length !== pointBytes || bytes[0] !== 4) return false
  try {
    const [x, y] = [bytes.subarray(1, 33).toString('base64url'), bytes.subarray(33).toString('base64url')]
    createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
    return true
  } catch {
    return false
  }
}

const firstRetryMs = 5_000
const retryMaxMs = 30 * 60_000

/** Returns the milliseconds until the next attempt: up to 30 minutes, doubling each time, or longer if the push service requests it. */
export const retryDelay = (attempt: number, retryAfterMs = 0): number =>
  Math.max(retryAfterMs, Math.min(firstRetryMs * 2 ** (attempt - 1), retryMaxMs))
