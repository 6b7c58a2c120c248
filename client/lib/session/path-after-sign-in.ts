import { isText } from '../http/type-guards.ts'
import { defineStored } from '../storage/browser-storage.ts'

const stored = defineStored<string>({
  key: 'lanewire.wanted',
  area: 'session',
  version: 'plain',
  // Only a path on this site: `//elsewhere` would lead to another one.
  isValue: (value): value is string => isText(value) && /^\/(?!\/)/.test(value),
})

/** Keeps the path that a visitor wanted, in this tab, until after sign-in. */
export const rememberWantedPath = (path: string): void => stored.write(path)

/** Forgets the path on sign-out, so that the next dealer is not sent there. */
export const forgetWantedPath = (): void => stored.write(undefined)

/** Returns the wanted path once, or `otherwise`. */
export function takeWantedPath(otherwise = '/'): string {
  const path = stored.read()
  forgetWantedPath()
  return path ?? otherwise
}
