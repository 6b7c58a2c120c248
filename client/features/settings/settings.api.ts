import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call, reasonOf } from '#client/lib/api.ts'
import { meKey } from '#client/lib/query-keys.ts'
import { toast } from '#client/ui/toast-store.ts'
import type { CurrentUser } from '#shared/schemas/dealers.ts'
import type { AccountDeletion } from '#shared/schemas/profile.ts'
import type { Settings, SettingsPatch } from '#shared/schemas/settings.ts'

/**
 * Saves one change at a time, shown at once and put back when the server refuses. The settings live in the current
 * user, where every screen that obeys them reads them.
 */
export function useSaveSettings() {
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
      toast({ title: 'Saved' })
    },
    onError: (error, _patch, before) => {
      cache.setQueryData(meKey, before)
      toast({ title: 'Not saved', description: reasonOf(error), variant: 'destructive' })
    },
  })
}

/** Everything kept of the dealer, as a file. */
export function useDownloadData() {
  return useMutation({
    mutationFn: () => call<unknown>('/api/account/data'),
    onSuccess: (data) => {
      const link = document.createElement('a')
      link.href = URL.createObjectURL(new Blob([JSON.stringify(data, undefined, 2)], { type: 'application/json' }))
      link.download = 'lanewire-data.json'
      link.click()
      URL.revokeObjectURL(link.href)
    },
    onError: (error) => toast({ title: 'Download failed', description: reasonOf(error), variant: 'destructive' }),
  })
}

/** The account is gone when this succeeds: a fresh page holds nothing of it. */
export function useDeleteAccount() {
  return useMutation({
    mutationFn: (body: AccountDeletion) => call('/api/account', { method: 'DELETE', body }),
    onSuccess: () => window.location.assign('/'),
  })
}
