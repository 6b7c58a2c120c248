import sharp from 'sharp'
import { avatarMaxBytes } from '#shared/limits.ts'
import { badRequest, tooLarge, unsupportedMedia } from '#server/errors.ts'
import { touchInbox } from '#server/features/inbox/inbox.service.ts'
import { keepPicture, releaseUrls } from '#server/features/uploads/uploads.service.ts'
import type { Context } from '#server/platform/context.ts'
import type { Actor } from '#server/platform/session.ts'
import { updateAvatar } from './profiles.repository.ts'

const avatarLimit = { name: 'avatar', max: 20, seconds: 3_600 }
const widths = [96, 320] as const
const maxPixels = 50_000_000
const accepted = new Set(['jpeg', 'png', 'gif'])

/** By its content, whatever the client called it; square around the middle, upright, without metadata. */
async function toSquares(content: Buffer) {
  const picture = () => sharp(content, { limitInputPixels: maxPixels })
  const format = await picture()
    .metadata()
    .then((metadata) => metadata.format)
    .catch(() => undefined)
  if (format === undefined || !accepted.has(format)) throw unsupportedMedia('Please choose a JPG, PNG or GIF image')
  try {
    return await Promise.all(
      widths.map(async (width) => ({
        width,
        data: await picture().rotate().resize(width, width, { fit: 'cover' }).webp({ quality: 82 }).toBuffer(),
      })),
    )
  } catch {
    throw badRequest('This picture could not be read')
  }
}

/** Sets the avatar. @throws 413 above 2 MB, 415 not JPG, PNG or GIF, 400 broken, 429 above 20 an hour */
export async function changeAvatar(ctx: Context, actor: Actor, content: Buffer): Promise<{ avatar: string }> {
  if (content.length > avatarMaxBytes) throw tooLarge('The picture may have up to 2 MB')
  await ctx.limiter.consume(avatarLimit, actor.dealerId)
  const sizes = await toSquares(content)
  return ctx.transact(async (tx, emit) => {
    const avatar = await keepPicture(ctx, tx, actor.dealerId, sizes)
    const before = await updateAvatar(tx, actor.dealerId, avatar)
    if (before !== null) await releaseUrls(tx, actor.dealerId, [before])
    await touchInbox(tx, emit, [actor.dealerId], 'profile', actor.dealerId)
    return { avatar }
  })
}

export async function removeAvatar(ctx: Context, actor: Actor): Promise<void> {
  await ctx.transact(async (tx, emit) => {
    const before = await updateAvatar(tx, actor.dealerId, null)
    if (before !== null) await releaseUrls(tx, actor.dealerId, [before])
    await touchInbox(tx, emit, [actor.dealerId], 'profile', actor.dealerId)
  })
}
