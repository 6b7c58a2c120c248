import { isText } from '../http/type-guards.ts'
import { defineStored } from '../storage/browser-storage.ts'

const stored = defineStored<string>({
  key: 'lanewire.wanted',
  area: 'session',
  version: 'plain',
  // Accept only a path on this site: `//elsewhere` would lead to another site.
  isValue: (value): value is string => isText(value) && /^\/(?!\/)/.test(value),
})

/** Remembers, in this tab, the path that a visitor wanted to open, until they have signed in. */
export const rememberWantedPath = (path: string): void => stored.write(path)

/** Call it on sign-out, so that the next dealer is not sent to this path. */
export const forgetWantedPath = (): void => stored.write(undefined)

/** Returns the remembered path and forgets it. Returns `otherwise` if there is none. */
export function takeWantedPath(otherwise = '/'): string {
  const path = stored.read()
  forgetWantedPath()
  return path ?? otherwise
}
