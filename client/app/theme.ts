import { useSyncExternalStore } from 'react'

export type ThemeChoice = 'system' | 'light' | 'dark'

// client/public/theme.js reads the same key before the first paint.
const storageKey = 'lanewire.theme'
const prefersDark = matchMedia('(prefers-color-scheme: dark)')
const listeners = new Set<() => void>()

function stored(): ThemeChoice {
  const value = localStorage.getItem(storageKey)
  return value === 'light' || value === 'dark' ? value : 'system'
}

function apply() {
  const choice = stored()
  const dark = choice === 'dark' || (choice === 'system' && prefersDark.matches)
  document.documentElement.dataset['theme'] = dark ? 'dark' : 'light'
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Follows the system and the other tabs from now on. */
export function watchTheme(): void {
  prefersDark.addEventListener('change', apply)
  addEventListener('storage', (event) => event.key === storageKey && apply())
}

export function setTheme(choice: ThemeChoice): void {
  localStorage.setItem(storageKey, choice)
  apply()
}

export function useTheme(): ThemeChoice {
  return useSyncExternalStore(subscribe, stored)
}
