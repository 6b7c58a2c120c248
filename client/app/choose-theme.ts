import { useSaveSettings } from '#client/features/account/settings.api.ts'
import { setTheme, type ThemeChoice } from './theme.ts'

/** Applies the theme on this device at once and saves it for the others. */
export function useChooseTheme(): (theme: ThemeChoice) => void {
  const { mutate } = useSaveSettings()
  return (theme) => {
    setTheme(theme)
    mutate({ theme })
  }
}
