import { isOneOf } from '#client/lib/http/type-guards.ts'
import { defineSlice } from '#client/lib/storage/store-slice.ts'
import { defineStored } from '#client/lib/storage/browser-storage.ts'

const choices = ['system', 'light', 'dark'] as const
export type ThemeChoice = (typeof choices)[number]

// client/public/theme.js reads the same key before the first paint.
const stored = defineStored({ key: 'lanewire.theme', version: 'plain', isValue: isOneOf(choices) })
const prefersDark = matchMedia('(prefers-color-scheme: dark)')

const themeStore = defineSlice('theme', () => ({ choice: stored.read() ?? 'system' }))

function show(choice: ThemeChoice) {
  themeStore.set((state) => void (state.choice = choice))
  const dark = choice === 'dark' || (choice === 'system' && prefersDark.matches)
  document.documentElement.dataset['theme'] = dark ? 'dark' : 'light'
}

export function watchTheme(): void {
  prefersDark.addEventListener('change', () => show(themeStore.get().choice))
  stored.onChange(() => show(stored.read() ?? 'system'))
}

export function setTheme(choice: ThemeChoice): void {
  stored.write(choice)
  show(choice)
}

export const useTheme = (): ThemeChoice => themeStore.use(({ choice }) => choice)
