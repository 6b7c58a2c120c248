import { useSyncExternalStore } from 'react'
import { isText } from './guards.ts'
import { defineStored } from './storage.ts'

/**
 * The session that this browser has logged out of, kept until the server has said so, too: only the server can take its cookie
 * away. Until then no page of the app shows anything of it, in whichever window.
 */
const left = defineStored<string>({ key: 'lanewire.signed-out', version: 1, isValue: isText })

/** A window hears of the storage only what others write. */
const changed = 'lanewire:signed-out'

function keep(session: string | undefined): void {
  left.write(session)
  window.dispatchEvent(new Event(changed))
}

function listen(hear: () => void): () => void {
  const stop = left.onChange(hear)
  window.addEventListener(changed, hear)
  return () => {
    stop()
    window.removeEventListener(changed, hear)
  }
}

/** Logs this browser out, whether or not the server can be reached just now. */
export const leaveSession = (session: string): void => keep(session)

/** The server has ended it, or another one is open by now. */
export const forgetLeftSession = (): void => keep(undefined)

/** The session that was left here and may still be open at the server. */
export const useLeftSession = (): string | undefined => useSyncExternalStore(listen, () => left.read())
