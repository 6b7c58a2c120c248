import { useIsMutating, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { abortedWith } from '#client/lib/http/older-browsers.ts'
import { authStatusQuery, signInKey } from '#client/features/auth/auth.api.ts'
import { call } from '#client/lib/http/api.ts'
import { authStatusKey } from '#client/lib/query/query-keys.ts'
import { forgetSignedOutSession } from '#client/lib/session/signing-out.ts'

/** Timeout of the sign-out request, and the pause before a retry, both in milliseconds. */
const patienceMs = 10_000
const pauseMs = 5_000

/**
 * Retries the sign-out until it succeeds.
 * Pauses during a sign-in, which also ends the old session, because a sign-out would delete the new session's cookie.
 */
export function PendingSignOut() {
  const queryClient = useQueryClient()
  const isSigningIn = useIsMutating({ mutationKey: signInKey }) > 0
  useEffect(() => {
    if (isSigningIn) return undefined
    const stop = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    let busy = false
    const signOut = async () => {
      if (busy || stop.signal.aborted) return
      busy = true
      clearTimeout(timer)
      const signal = abortedWith(stop.signal, AbortSignal.timeout(patienceMs))
      try {
        await call('/api/auth/logout', { method: 'POST', body: {}, signal })
        // Set the status immediately, so that the signed-in app does not appear while the status is being fetched.
        queryClient.setQueryData(
          authStatusQuery().queryKey,
          (known) => known && { ...known, authenticated: false, session: null },
        )
        forgetSignedOutSession()
        await queryClient.invalidateQueries({ queryKey: authStatusKey })
      } catch {
        if (!stop.signal.aborted) timer = setTimeout(() => void signOut(), pauseMs)
      }
      busy = false
    }
    const now = () => void signOut()
    now()
    window.addEventListener('online', now)
    return () => {
      stop.abort()
      clearTimeout(timer)
      window.removeEventListener('online', now)
    }
  }, [isSigningIn, queryClient])
  return null
}
