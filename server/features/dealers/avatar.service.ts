import { avatarMaxBytes } from '#shared/limits.ts'
import { tooLarge } from '#server/errors.ts'
import { touchInbox } from '#server/features/notifications/inbox.service.ts'
import { notify } from '#server/features/notifications/notifications.service.ts'
import {
  attachFile,
  dropUnfinishedAvatars,
  readLastAvatar,
  releaseUrls,
  storeAvatar,
} from '#server/features/uploads/uploads.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import type { Tx } from '#server/platform/database/db.ts'
import type { Actor } from '#server/platform/session/session.ts'
import type { Emit } from '#server/platform/database/transact.ts'
import { updateAvatar } from './profiles.repository.ts'

const avatarLimit = { name: 'avatar', max: 20, seconds: 3_600 }

/** The old avatar stays until a job has processed the new one. @throws 413 above 2 MB; 415 if not JPG, PNG or GIF; 429 after 20 an hour */
export async function changeAvatar(ctx: Context, actor: Actor, content: Buffer): Promise<{ avatar: string }> {
  if (content.length > avatarMaxBytes) throw tooLarge('The picture can be up to 2 MB')
  await ctx.limiter.consume(avatarLimit, actor.dealerId)
  const avatar = await storeAvatar(ctx, actor.dealerId, content)
  await ctx.transact((tx, emit) => touchInbox(tx, emit, [actor.dealerId], 'profile', actor.dealerId))
  return { avatar }
}

async function replaceAvatar(tx: Tx, emit: Emit, dealerId: string, avatar: string | null): Promise<void> {
  const replaced = await updateAvatar(tx, dealerId, avatar)
  if (replaced === undefined) return
  if (avatar !== null) await attachFile(tx, dealerId, avatar)
  if (replaced.before !== null) await releaseUrls(tx, dealerId, [replaced.before])
  await touchInbox(tx, emit, [dealerId], 'profile', dealerId)
}

/** Shows a processed avatar, or reports its error. Ignores all uploads except the dealer's last upload. */
export async function applyAvatar(
  tx: Tx,
  emit: Emit,
  { objectId, dealerId, error }: { objectId: string; dealerId: string; error: string | null },
): Promise<void> {
  const last = await readLastAvatar(tx, dealerId)
  if (last?.id !== objectId) return
  if (error === null) return replaceAvatar(tx, emit, dealerId, last.url)
  await notify(tx, emit, {
    dealerId,
    kind: 'unreadable',
    title: 'Your new picture could not be used',
    body: `${error}. Your previous picture is still in use.`,
    path: '/profile-edit',
    key: `avatar:${objectId}`,
  })
  await touchInbox(tx, emit, [dealerId], 'profile', dealerId)
}

export async function removeAvatar(ctx: Context, actor: Actor): Promise<void> {
  await ctx.transact(async (tx, emit) => {
    await dropUnfinishedAvatars(tx, emit, actor.dealerId)
    await replaceAvatar(tx, emit, actor.dealerId, null)
  })
}
