import { isText } from '../http/type-guards.ts'
import { defineStored } from '../storage/browser-storage.ts'

const stored = defineStored<string>({
  key: 'lanewire.wanted',
  area: 'session',
  version: 'plain',
  // Accept only a path on this site. `//elsewhere`, for example, leads to another site.
  isValue: (value): value is string => isText(value) && /^\/(?!\/)/.test(value),
})

/** Remembers the path that a visitor wanted to open in this tab until the visitor has signed in. */
export const rememberWantedPath = (path: string): void => stored.write(path)

/** Call this on sign-out, so that the next dealer does not get to this path. */
export const forgetWantedPath = (): void => stored.write(undefined)

/** Returns the remembered path and forgets it. Returns `otherwise` if no path is remembered. */
export function takeWantedPath(otherwise = '/'): string {
  const path = stored.read()
  forgetWantedPath()
  return path ?? otherwise
}
