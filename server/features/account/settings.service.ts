import type { Settings, SettingsPatch } from '#shared/schemas/account.ts'
import { settingsOf } from '#shared/settings-defaults.ts'
import { badRequest } from '#server/errors.ts'
import { findSettings, updateSettings } from '#server/features/dealers/dealers.service.ts'
import { touchInbox } from '#server/features/notifications/inbox.service.ts'
import type { Context } from '#server/platform/context.ts'
import type { Db } from '#server/platform/db.ts'
import type { Actor } from '#server/platform/session.ts'

/** Every setting of a dealer, defaults included: what other features ask before they show or send something. */
export async function settingsFor(db: Db, dealerId: string): Promise<Settings> {
  return settingsOf(await findSettings(db, dealerId))
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).format() !== ''
  } catch {
    return false
  }
}

/** Saves what has changed; the dealer's other tabs hear it. @throws 400 for an unknown time zone */
export async function changeSettings(ctx: Context, actor: Actor, patch: SettingsPatch): Promise<Settings> {
  if (patch.quietHours !== undefined && !isTimeZone(patch.quietHours.timeZone))
    throw badRequest('This time zone is not known', { fields: ['timeZone'] })
  const { notifications = {}, ...others } = patch
  return ctx.transact(async (tx, emit) => {
    const saved = settingsOf(await updateSettings(tx, actor.dealerId, others, notifications))
    await touchInbox(tx, emit, [actor.dealerId], 'profile', actor.dealerId)
    emit('settings.changed', { dealerId: actor.dealerId, settings: saved })
    return saved
  })
}
