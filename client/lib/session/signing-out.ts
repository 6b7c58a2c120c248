import { useSyncExternalStore } from 'react'
import { isText } from '../http/type-guards.ts'
import { defineStored } from '../storage/browser-storage.ts'

/** The session that this browser signed out of, until the server confirms it: only the server can remove the cookie. */
const left = defineStored<string>({ key: 'lanewire.signed-out', version: 1, isValue: isText })

/** Storage events only fire in other windows. */
const changed = 'lanewire:signed-out'

function keep(session: string | undefined): void {
  left.write(session)
  window.dispatchEvent(new Event(changed))
}

function listen(notify: () => void): () => void {
  const stop = left.onChange(notify)
  window.addEventListener(changed, notify)
  return () => {
    stop()
    window.removeEventListener(changed, notify)
  }
}

/** Signs this browser out, even if the server cannot be reached. */
export const markSignedOut = (session: string): void => keep(session)

/** Call when the server has ended the session, or another one has started. */
export const forgetSignedOutSession = (): void => keep(undefined)

/** The session that was signed out here and may still be open on the server. */
export const useSignedOutSession = (): string | undefined => useSyncExternalStore(listen, () => left.read())
