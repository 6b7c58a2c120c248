import { useSaveSettings } from '#client/features/account/settings.api.ts'
import { setTheme, type ThemeChoice } from './theme.ts'

/** Shown at once on this device, and saved for the others. */
export function useChooseTheme(): (theme: ThemeChoice) => void {
  const { mutate } = useSaveSettings()
  return (theme) => {
    setTheme(theme)
    mutate({ theme })
  }
}
