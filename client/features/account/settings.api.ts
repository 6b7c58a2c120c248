import { useMutation } from '@tanstack/react-query'
import { call } from '#client/lib/api.ts'
import { useSettingsChange } from '#client/lib/save-settings.ts'
import { toast } from '#client/ui/toast-store.ts'
import type { AccountDeletion } from '#shared/schemas/dealers.ts'

/** Saves a change of the settings and says so. */
export const useSaveSettings = () => useSettingsChange(() => toast({ title: 'Saved' }))

/** Everything kept of the dealer, as a file. */
export function useDownloadData() {
  return useMutation({
    mutationFn: () => call('/api/account/data'),
    onSuccess: (data) => {
      const link = document.createElement('a')
      link.href = URL.createObjectURL(new Blob([JSON.stringify(data, undefined, 2)], { type: 'application/json' }))
      link.download = 'lanewire-data.json'
      link.click()
      URL.revokeObjectURL(link.href)
    },
    meta: { refused: 'Download failed' },
  })
}

/** The account is gone when this succeeds: a fresh page holds nothing of it. */
export function useDeleteAccount() {
  return useMutation({
    mutationFn: (body: AccountDeletion) => call('/api/account', { method: 'DELETE', body }),
    onSuccess: () => window.location.assign('/'),
  })
}
