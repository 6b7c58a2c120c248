import { useSyncExternalStore } from 'react'
import { isText } from '../http/type-guards.ts'
import { defineStored } from '../storage/browser-storage.ts'

/** The session that this browser left. Kept until the server confirms the sign-out, because only the server can delete the cookie. */
const storedSession = defineStored<string>({ key: 'lanewire.signed-out', version: 1, isValue: isText })

/** Event for listeners in this window, because storage events fire only in other windows. */
const changed = 'lanewire:signed-out'

function keep(session: string | undefined): void {
  storedSession.write(session)
  window.dispatchEvent(new Event(changed))
}

function listen(notify: () => void): () => void {
  const stop = storedSession.onChange(notify)
  window.addEventListener(changed, notify)
  return () => {
    stop()
    window.removeEventListener(changed, notify)
  }
}

/** Marks the session as signed out in this browser. Works even if the server cannot be reached. */
export const markSignedOut = (session: string): void => keep(session)

/** Call this once the server has ended the session or another session has started. */
export const forgetSignedOutSession = (): void => keep(undefined)

/** Returns the session that was signed out in this browser but may still be open on the server. */
export const useSignedOutSession = (): string | undefined => useSyncExternalStore(listen, () => storedSession.read())
