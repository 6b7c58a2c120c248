import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import type { CurrentUser } from '#shared/schemas/dealers.ts'
import type { Settings, SettingsPatch } from '#shared/schemas/account.ts'
import { settingsOf } from '#shared/settings-defaults.ts'
import { call } from './api.ts'
import { beginShown, endShown } from './asked-again.ts'
import { meKey } from './query-keys.ts'

type Held = CurrentUser['settings']

const mutationKey = ['settings'] as const
/** What the server holds, while changes of it are under way; never fetched. */
const heldKey = ['settings', 'held'] as const

/** The settings with every change that is under way: by the next press they may not be drawn yet. */
export function useSettingsAhead(): () => Settings {
  const cache = useQueryClient()
  return () => {
    const held = cache.getQueryData<Held>(heldKey) ?? cache.getQueryData<CurrentUser>(meKey)?.settings
    return settingsOf(changesUnderWay(cache).reduce(withPatch, held ?? {}))
  }
}

const timeZoneHere = () => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** The dealer's days and hours are those of this browser's place from here on: whoever sets one means the clock in sight. */
export function useThisClock(): (hours?: Partial<Settings['quietHours']>) => SettingsPatch {
  const ahead = useSettingsAhead()
  return (hours = {}) => ({ quietHours: { ...ahead().quietHours, ...hours, timeZone: timeZoneHere() } })
}

/**
 * Saves one change at a time, shown at once; a refused one is taken back, and what was chosen before or since stays. The
 * settings live in the current user, where every screen that obeys them reads them.
 */
export function useSettingsChange(onSaved?: () => void) {
  const cache = useQueryClient()
  return useMutation({
    mutationKey,
    mutationFn: (body: SettingsPatch) => call('/api/settings', { method: 'PATCH', body }),
    // One after the other: the last choice is the one that stays.
    scope: { id: 'settings' },
    onMutate: async () => {
      await beginShown(cache, meKey)
      const me = cache.getQueryData<CurrentUser>(meKey)
      if (me) cache.setQueryData<Held>(heldKey, (held) => held ?? me.settings)
      showSettings(cache, changesUnderWay(cache))
    },
    onSuccess: (settings) => {
      cache.setQueryData<Held>(heldKey, (held) => held && settings)
      onSaved?.()
    },
    onSettled: (_settings, _error, patch) => {
      const others = changesUnderWay(cache).filter((change) => change !== patch)
      showSettings(cache, others)
      if (others.length === 0) cache.removeQueries({ queryKey: heldKey })
      return endShown(cache, meKey)
    },
    // What was taken over meanwhile, as from another tab, was taken back with it.
    onError: () => void cache.invalidateQueries({ queryKey: meKey }),
    meta: { refused: 'Not saved' },
  })
}

/** In their order, the one that is just beginning or ending included. */
const changesUnderWay = (cache: QueryClient) =>
  cache
    .getMutationCache()
    .findAll({ mutationKey, status: 'pending' })
    .map(({ state }) => state.variables as SettingsPatch)

/** What the server holds, and on top of it what it has not answered yet. */
function showSettings(cache: QueryClient, changes: readonly SettingsPatch[]): void {
  const settings = cache.getQueryData<Held>(heldKey)
  if (settings)
    cache.setQueryData<CurrentUser>(meKey, (me) => me && { ...me, settings: changes.reduce(withPatch, settings) })
}

const withPatch = (settings: Held, patch: SettingsPatch): Held => ({
  ...settings,
  ...patch,
  lane: { ...(settings['lane'] as object), ...patch.lane },
  notifications: { ...(settings['notifications'] as object), ...patch.notifications },
})
