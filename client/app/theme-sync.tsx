import { useEffect, useRef } from 'react'
import { useCurrentDealer } from '#client/lib/current-dealer.ts'
import { settingsOf } from '#shared/settings-defaults.ts'
import { setTheme } from './theme.ts'

/** The dealer's saved theme, on every device: a change elsewhere arrives here, too. */
export function ThemeSync() {
  const { theme } = settingsOf(useCurrentDealer().settings)
  const first = useRef(true)
  useEffect(() => {
    // Somebody who never chose keeps what this device shows.
    if (first.current && theme === 'system') first.current = false
    else setTheme(theme)
    first.current = false
  }, [theme])
  return null
}
