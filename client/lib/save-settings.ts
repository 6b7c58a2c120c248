import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { CurrentUser } from '#shared/schemas/dealers.ts'
import type { Settings, SettingsPatch } from '#shared/schemas/settings.ts'
import { call } from './api.ts'
import { meKey } from './query-keys.ts'

/**
 * Saves one change at a time, shown at once and put back when the server refuses. The settings live in the current
 * user, where every screen that obeys them reads them.
 */
export function useSettingsChange(onSaved?: () => void) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: SettingsPatch) => call<Settings>('/api/settings', { method: 'PATCH', body }),
    // One after the other: the last choice is the one that stays.
    scope: { id: 'settings' },
    onMutate: async (patch) => {
      await cache.cancelQueries({ queryKey: meKey })
      const before = cache.getQueryData<CurrentUser>(meKey)
      const notifications = { ...(before?.settings['notifications'] as object), ...patch.notifications }
      if (before) cache.setQueryData(meKey, { ...before, settings: { ...before.settings, ...patch, notifications } })
      return before
    },
    onSuccess: (settings) => {
      cache.setQueryData<CurrentUser>(meKey, (me) => me && { ...me, settings })
      onSaved?.()
    },
    onError: (_error, _patch, before) => cache.setQueryData(meKey, before),
    meta: { refused: 'Not saved' },
  })
}
