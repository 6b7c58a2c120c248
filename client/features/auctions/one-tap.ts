import { useCurrentDealer } from '#client/lib/current-dealer.ts'
import { useSettingsChange } from '#client/lib/save-settings.ts'
import { settingsOf } from '#shared/settings-defaults.ts'

/** Whether a press places the bid at once: the dealer's setting. Off: a second press confirms. */
export function useOneTapBids(): [boolean, (on: boolean) => void] {
  const { oneTapBids } = settingsOf(useCurrentDealer().settings)
  const change = useSettingsChange()
  return [oneTapBids, (on) => change.mutate({ oneTapBids: on })]
}
