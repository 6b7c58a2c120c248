import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import type { CurrentUser } from '#shared/schemas/dealers.ts'
import type { Settings, SettingsPatch } from '#shared/schemas/account.ts'
import { settingsOf } from '#shared/settings-defaults.ts'
import { call } from '../http/api.ts'
import { beginOptimistic, endOptimistic } from '../query/optimistic-update.ts'
import { meKey } from '../query/query-keys.ts'

type SavedSettings = CurrentUser['settings']

const mutationKey = ['settings'] as const
const savedKey = ['settings', 'saved'] as const

/** Returns a function that reads the settings with the changes in flight, which may not be rendered yet. */
export function usePendingSettings(): () => Settings {
  const cache = useQueryClient()
  return () => {
    const saved = cache.getQueryData<SavedSettings>(savedKey) ?? cache.getQueryData<CurrentUser>(meKey)?.settings
    return settingsOf(changesUnderWay(cache).reduce(withPatch, saved ?? {}))
  }
}

const timeZoneHere = () => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** Returns a function that makes a patch for quiet hours. It includes this browser's time zone, because quiet hours are local times. */
export function useQuietHoursPatch(): (hours?: Partial<Settings['quietHours']>) => SettingsPatch {
  const ahead = usePendingSettings()
  return (hours = {}) => ({ quietHours: { ...ahead().quietHours, ...hours, timeZone: timeZoneHere() } })
}

/** Saves settings one change at a time, with optimistic updates. A rejected change is undone, and the other changes stay. */
export function useSettingsChange(onSaved?: () => void) {
  const cache = useQueryClient()
  return useMutation({
    mutationKey,
    mutationFn: (body: SettingsPatch) => call('/api/settings', { method: 'PATCH', body }),
    // Send the changes one after the other, so that the last one wins.
    scope: { id: 'settings' },
    onMutate: async () => {
      await beginOptimistic(cache, meKey)
      const me = cache.getQueryData<CurrentUser>(meKey)
      if (me) cache.setQueryData<SavedSettings>(savedKey, (saved) => saved ?? me.settings)
      showSettings(cache, changesUnderWay(cache))
    },
    onSuccess: (settings) => {
      cache.setQueryData<SavedSettings>(savedKey, (saved) => saved && settings)
      onSaved?.()
    },
    onSettled: (_settings, _error, patch) => {
      const others = changesUnderWay(cache).filter((change) => change !== patch)
      showSettings(cache, others)
      if (others.length === 0) cache.removeQueries({ queryKey: savedKey })
      return endOptimistic(cache, meKey)
    },
    onError: () => void cache.invalidateQueries({ queryKey: meKey }),
    meta: { refused: 'Not saved' },
  })
}

const changesUnderWay = (cache: QueryClient) =>
  cache
    .getMutationCache()
    .findAll({ mutationKey, status: 'pending' })
    .map(({ state }) => state.variables as SettingsPatch)

function showSettings(cache: QueryClient, changes: readonly SettingsPatch[]): void {
  const settings = cache.getQueryData<SavedSettings>(savedKey)
  if (settings)
    cache.setQueryData<CurrentUser>(meKey, (me) => me && { ...me, settings: changes.reduce(withPatch, settings) })
}

const withPatch = (settings: SavedSettings, patch: SettingsPatch): SavedSettings => ({
  ...settings,
  ...patch,
  lane: { ...(settings['lane'] as object), ...patch.lane },
  notifications: { ...(settings['notifications'] as object), ...patch.notifications },
})
