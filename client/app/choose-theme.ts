import { useSaveSettings } from '#client/features/account/settings.api.ts'
import { setTheme, type ThemeChoice } from './theme.ts'

export function useChooseTheme(): (theme: ThemeChoice) => void {
  const { mutate } = useSaveSettings()
  return (theme) => {
    setTheme(theme)
    mutate({ theme })
  }
}
