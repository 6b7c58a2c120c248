import { pushDevicesMax } from '#shared/limits.ts'
import type { PushDevice, PushDevicePatch, PushState, PushTestSent, RegisterPushDevice } from '#shared/schemas/push.ts'
import { AppError, badRequest, conflict, notFound, unavailable } from '#server/errors.ts'
import { touchInbox } from '#server/features/notifications/inbox.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import type { Tx } from '#server/platform/database/db.ts'
import type { Actor } from '#server/platform/session/session.ts'
import { deliver, type Delivery } from './push-delivery.service.ts'
import { pushKeys } from './push-keys.ts'
import { assertEndpoint, readKeys } from './push.policy.ts'
import {
  countDevices,
  countUnreadOf,
  findByEndpoint,
  findOpenDevice,
  listDevices,
  lockDevicesOf,
  markDelivered,
  markFailed,
  removeDevice,
  removeReplaced,
  updateDevice,
  upsertDevice,
} from './push.repository.ts'

const registrations = { name: 'push-devices', max: 60, seconds: 3_600 }
const tests = { name: 'push-tests', max: 10, seconds: 3_600 }

const hostOf = ({ endpoint }: { endpoint: string }): string => new URL(endpoint).host

const deviceMissing = () => notFound('This device')

const sessionOf = ({ sessionId }: Actor): Buffer => Buffer.from(sessionId, 'hex')

export async function readPush(ctx: Context, actor: Actor): Promise<PushState> {
  const { publicKey } = await pushKeys(ctx)
  return { publicKey, devices: await readDevices(ctx, actor) }
}

async function readDevices(ctx: Context, actor: Actor): Promise<PushDevice[]> {
  return (await listDevices(ctx.db, actor.dealerId)).map(
    ({ sessionHash, createdAt, lastOkAt, lastFailedAt, lastError, ...device }) => ({
      ...device,
      isCurrent: sessionHash.toString('hex') === actor.sessionId,
      createdAt: createdAt.toISOString(),
      lastOkAt: lastOkAt?.toISOString() ?? null,
      failing: lastFailedAt === null ? null : { at: lastFailedAt.toISOString(), reason: lastError ?? '' },
    }),
  )
}

async function readDevice(ctx: Context, actor: Actor, id: string): Promise<PushDevice> {
  const device = (await readDevices(ctx, actor)).find((one) => one.id === id)
  if (device === undefined) throw deviceMissing()
  return device
}

/**
 * Registers the browser of this session, or moves its registration to this session and dealer.
 * @throws 400 if the push service is not supported or a key is invalid; 409 if the keys differ or there are too many devices; 429
 */
export async function registerDevice(ctx: Context, actor: Actor, sent: RegisterPushDevice): Promise<PushDevice> {
  await ctx.limiter.consume(registrations, actor.dealerId)
  const { endpoint, label, replaces, hideContent } = sent
  assertEndpoint(endpoint, { hosts: ctx.config.push.hosts, privateHosts: ctx.config.fetchPrivateHosts })
  if (label.trim() === '') throw badRequest('Name this device')
  const device = { dealerId: actor.dealerId, sessionHash: sessionOf(actor), endpoint, label, ...readKeys(sent.keys) }
  const id = await ctx.transact(async (tx, emit) => {
    await lockDevicesOf(tx, actor.dealerId)
    const before = await findByEndpoint(tx, endpoint)
    if (before !== undefined && !(before.p256dh.equals(device.p256dh) && before.auth.equals(device.auth)))
      throw conflict('This browser is registered with different keys. Turn push off and on again')
    const didHide = await removeReplaced(tx, device, replaces)
    await assertRoom(tx, actor.dealerId, before?.dealerId)
    const registered = await upsertDevice(tx, device)
    const hides = hideContent ?? (didHide || undefined)
    if (hides !== undefined) await updateDevice(tx, actor.dealerId, registered, { hideContent: hides })
    const moved = before === undefined || before.dealerId === actor.dealerId ? [] : [before.dealerId]
    await touchInbox(tx, emit, [actor.dealerId, ...moved], 'push', registered)
    return registered
  })
  return readDevice(ctx, actor, id)
}

/** @throws 409 if the dealer has the maximum number of devices */
async function assertRoom(tx: Tx, dealerId: string, ownerBefore: string | undefined): Promise<void> {
  if (ownerBefore !== dealerId && (await countDevices(tx, dealerId)) >= pushDevicesMax)
    throw conflict(`You have ${pushDevicesMax} devices. Remove one first`)
}

/** @throws 404 unless the device belongs to the dealer */
export async function changeDevice(
  ctx: Context,
  actor: Actor,
  id: string,
  patch: PushDevicePatch,
): Promise<PushDevice> {
  await ctx.transact(async (tx, emit) => {
    if (!(await updateDevice(tx, actor.dealerId, id, patch))) throw deviceMissing()
    await touchInbox(tx, emit, [actor.dealerId], 'push', id)
  })
  return readDevice(ctx, actor, id)
}

/** @throws 404 unless the device belongs to the dealer */
export async function dropDevice(ctx: Context, actor: Actor, id: string): Promise<void> {
  await ctx.transact(async (tx, emit) => {
    if ((await removeDevice(tx, id, actor.dealerId)) === undefined) throw deviceMissing()
    await touchInbox(tx, emit, [actor.dealerId], 'push', id)
  })
}

const testContent = {
  title: 'Lanewire can reach this device',
  body: "You'll get outbid alerts and messages here, even when Lanewire is closed.",
  path: '/settings',
  tag: 'test',
  urgency: 'high',
  ttlSeconds: 60,
} as const

const shortWaitMs = 60_000

/** Returns what happened to a test notification that the push service may accept later, and what to do. */
function adviceOn({ reason, status, retryAfterMs }: Extract<Delivery, { outcome: 'retry' }>, host: string): string {
  if (status === 429)
    return retryAfterMs !== undefined && retryAfterMs <= shortWaitMs
      ? `${host} is receiving too many notifications. Wait ${Math.ceil(retryAfterMs / 1_000)} s and try again`
      : `${host} is receiving too many notifications. Try again later`
  return status === 0 ? `${reason}. Try again` : `${host} has a fault (status ${status}). Try again later`
}

/**
 * Sends a test notification and returns once the push service has accepted it.
 * @throws 404 unless the device belongs to the dealer; 410 if the browser no longer accepts push; 502 if the push service refuses the
 * notification; 503 if the push service fails, limits notifications or does not answer; 429 after 10 tests in an hour
 */
export async function testDevice(ctx: Context, actor: Actor, id: string): Promise<PushTestSent> {
  await ctx.limiter.consume(tests, actor.dealerId)
  const device = await findOpenDevice(ctx.db, id)
  if (device?.dealerId !== actor.dealerId) throw deviceMissing()
  const badge = await countUnreadOf(ctx.db, actor.dealerId)
  const delivery = await deliver(ctx, device, testContent, { badge, quiet: false })
  await ctx.transact(async (tx, emit) => {
    if (delivery.outcome === 'accepted') await markDelivered(tx, id)
    else if (delivery.outcome === 'gone') await removeDevice(tx, id)
    else await markFailed(tx, id, delivery.reason)
    await touchInbox(tx, emit, [actor.dealerId], 'push', id)
  })
  if (delivery.outcome === 'accepted') return { status: 'accepted' }
  if (delivery.outcome === 'gone')
    throw new AppError(410, 'gone', 'This browser no longer accepts push. Turn it on again')
  if (delivery.outcome === 'refused')
    throw new AppError(502, 'unavailable', `${delivery.reason}. Turn push off and on again, or contact support`)
  throw unavailable(adviceOn(delivery, hostOf(device)))
}
