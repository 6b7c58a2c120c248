import { reasonOf } from '#client/lib/api.ts'
import { useCurrentDealer } from '#client/lib/current-dealer.ts'
import { useSettingsChange } from '#client/lib/save-settings.ts'
import { toast } from '#client/ui/toast-store.ts'
import { settingsOf } from '#shared/settings-defaults.ts'

/** Whether a press places the bid at once: the dealer's setting. Off: a second press confirms. */
export function useOneTapBids(): [boolean, (on: boolean) => void] {
  const { oneTapBids } = settingsOf(useCurrentDealer().settings)
  const change = useSettingsChange({
    onFailed: (error) => toast({ title: 'Not saved', description: reasonOf(error), variant: 'destructive' }),
  })
  return [oneTapBids, (on) => change.mutate({ oneTapBids: on })]
}
