import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call, reasonOf } from '#client/lib/api.ts'
import { useCurrentDealer } from '#client/lib/current-dealer.ts'
import { meKey } from '#client/lib/query-keys.ts'
import { toast } from '#client/ui/toast-store.ts'
import type { CurrentUser } from '#shared/schemas/dealers.ts'
import type { Settings } from '#shared/schemas/settings.ts'
import { settingsOf } from '#shared/settings-defaults.ts'

/** Whether a press places the bid at once: the dealer's setting. Off: a second press confirms. */
export function useOneTapBids(): [boolean, (on: boolean) => void] {
  const cache = useQueryClient()
  const { oneTapBids } = settingsOf(useCurrentDealer().settings)
  const keep = (settings: Record<string, unknown>) =>
    cache.setQueryData<CurrentUser>(meKey, (me) => me && { ...me, settings: { ...me.settings, ...settings } })
  const save = useMutation({
    scope: { id: 'settings' },
    mutationFn: (on: boolean) => call<Settings>('/api/settings', { method: 'PATCH', body: { oneTapBids: on } }),
    onMutate: (on) => void keep({ oneTapBids: on }),
    onSuccess: (settings) => void keep(settings),
    onError: (error, on) => {
      keep({ oneTapBids: !on })
      toast({ title: 'Not saved', description: reasonOf(error), variant: 'destructive' })
    },
  })
  return [oneTapBids, save.mutate]
}
