import { isText } from './guards.ts'
import { defineStored } from './storage.ts'

const stored = defineStored<string>({
  key: 'lanewire.wanted',
  area: 'session',
  version: 'plain',
  // A path of ours: `//elsewhere` would lead away.
  isValue: (value): value is string => isText(value) && /^\/(?!\/)/.test(value),
})

/** Keeps where a visitor wanted to go, for this tab, until sign-in has led there. */
export const rememberWantedPath = (path: string): void => stored.write(path)

/** Where one dealer wanted to go is not where the next one does. */
export const forgetWantedPath = (): void => stored.write(undefined)

/** The wanted path, once; `otherwise` where there is none. */
export function takeWantedPath(otherwise = '/'): string {
  const path = stored.read()
  forgetWantedPath()
  return path ?? otherwise
}
