import { useSaveSettings } from '#client/features/account/settings.api.ts'
import { setTheme, type ThemeChoice } from './theme.ts'

/** Returns a function that applies a theme on this device immediately and saves it for the dealer's other devices. */
export function useChooseTheme(): (theme: ThemeChoice) => void {
  const { mutate } = useSaveSettings()
  return (theme) => {
    setTheme(theme)
    mutate({ theme })
  }
}
