import type { Context } from '#server/platform/process/context.ts'
import { type FetchFault, FetchRefused, guardedPost } from '#server/platform/guarded-fetch.ts'
import { publicLink } from '#server/platform/mail/mail.ts'
import { pushKeys } from './push-keys.ts'
import { type PushContent, patternOf, topicOf } from './push.policy.ts'
import type { OpenDevice } from './push.repository.ts'

export type Delivery =
  | { outcome: 'accepted' }
  /** The subscription no longer exists, or was created for different VAPID keys. */
  | { outcome: 'gone'; reason: string }
  /** `status` is 0 if the push service did not respond. */
  | { outcome: 'retry'; reason: string; status: number; retryAfterMs: number | undefined }
  | { outcome: 'refused'; reason: string }

const timeoutMs = 10_000
/** Marks a message that a browser can show without a service worker (Declarative Web Push). */
const declarative = 8030

/** JSON for Declarative Web Push. Safari shows it without a service worker, and `sw.js` reads it in other browsers. */
const payloadOf = (ctx: Context, { title, body, path, tag }: PushContent, badge: number, quiet: boolean) =>
  JSON.stringify({
    web_push: declarative,
    app_badge: badge,
    notification: { title, body, navigate: publicLink(ctx.config, path), tag, silent: quiet },
  })

/** Encrypts a push (RFC 8291), signs it (RFC 8292) and sends it to the device's push service. Never logs the endpoint. */
export async function deliver(
  ctx: Context,
  { endpoint, p256dh, auth }: Pick<OpenDevice, 'endpoint' | 'p256dh' | 'auth'>,
  content: PushContent,
  { badge, quiet }: { badge: number; quiet: boolean },
): Promise<Delivery> {
  const { default: webPush } = await import('web-push')
  const subscription = { endpoint, keys: { p256dh: p256dh.toString('base64url'), auth: auth.toString('base64url') } }
  const { headers, body } = webPush.generateRequestDetails(subscription, payloadOf(ctx, content, badge, quiet), {
    vapidDetails: { subject: ctx.config.push.contact, ...(await pushKeys(ctx)) },
    TTL: Math.max(0, content.ttlSeconds),
    urgency: content.urgency,
    topic: topicOf(content.tag),
    contentEncoding: 'aes128gcm',
  })
  const answer = await post(ctx, endpoint, headers, body)
  const { host } = new URL(endpoint)
  ctx.metrics.pushes.inc({ host: patternOf(host, ctx.config.push.hosts) ?? 'other', status: answer.status })
  return toDelivery(host, answer)
}

interface Answer {
  /** HTTP status, or 0 if the push service did not respond. */
  status: number
  retryAfter?: string | undefined
  fault?: FetchFault
}

const faultTexts: Record<FetchFault, string> = {
  late: 'did not answer',
  private: 'has a private address',
  refused: 'could not be reached',
  unreachable: 'could not be reached',
}

async function post(
  { config }: Context,
  endpoint: string,
  headers: Record<string, unknown>,
  body: Buffer | null,
): Promise<Answer> {
  try {
    return await guardedPost(endpoint, {
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
      body: body ?? Buffer.alloc(0),
      timeoutMs,
      privateHosts: config.fetchPrivateHosts,
    })
  } catch (error) {
    if (!(error instanceof FetchRefused)) throw error
    return { status: 0, fault: error.fault }
  }
}

/** Returns the milliseconds of a Retry-After header (RFC 9110, 10.2.3). */
function retryAfterMs(header: string | undefined): number | undefined {
  if (header === undefined) return undefined
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now()
  return Number.isFinite(ms) && ms > 0 ? ms : undefined
}

function toDelivery(host: string, { status, retryAfter, fault = 'late' }: Answer): Delivery {
  if (status >= 200 && status < 300) return { outcome: 'accepted' }
  if (status === 404 || status === 410) return { outcome: 'gone', reason: 'The browser no longer accepts push' }
  if (status === 401 || status === 403) return { outcome: 'gone', reason: `${host} rejected this network's push keys` }
  if (status === 0)
    return {
      outcome: 'retry',
      reason: `${host} ${faultTexts[fault]}`,
      status,
      retryAfterMs: undefined,
    }
  if (status === 429 || status >= 500)
    return {
      outcome: 'retry',
      reason: `${host} answered with status ${status}`,
      status,
      retryAfterMs: retryAfterMs(retryAfter),
    }
  return { outcome: 'refused', reason: `${host} rejected the notification (status ${status})` }
}
