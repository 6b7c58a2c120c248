import { useIsMutating, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { abortedWith } from '#client/lib/older-browsers.ts'
import { authStatusQuery, signInKey } from '#client/features/auth/auth.api.ts'
import { call } from '#client/lib/api.ts'
import { authStatusKey } from '#client/lib/query-keys.ts'
import { forgetLeftSession } from '#client/lib/signing-out.ts'

/** A server that does not answer is asked again after so long, and one that refuses. */
const patienceMs = 10_000
const pauseMs = 5_000

/**
 * Tells the server that the session was left here, until it has heard it: at once, again after a pause, and as soon as the browser is
 * online. It rests while somebody signs in: that ends the old session, too, and the cookie that comes is not to be taken away.
 */
export function Goodbye() {
  const queryClient = useQueryClient()
  const isSigningIn = useIsMutating({ mutationKey: signInKey }) > 0
  useEffect(() => {
    if (isSigningIn) return undefined
    const stop = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    let busy = false
    const say = async () => {
      if (busy || stop.signal.aborted) return
      busy = true
      clearTimeout(timer)
      const signal = abortedWith(stop.signal, AbortSignal.timeout(patienceMs))
      try {
        await call('/api/auth/logout', { method: 'POST', body: {}, signal })
        // Known at once: the app is not to come back while the status is asked for.
        queryClient.setQueryData(
          authStatusQuery().queryKey,
          (known) => known && { ...known, authenticated: false, session: null },
        )
        forgetLeftSession()
        await queryClient.invalidateQueries({ queryKey: authStatusKey })
      } catch {
        if (!stop.signal.aborted) timer = setTimeout(() => void say(), pauseMs)
      }
      busy = false
    }
    const now = () => void say()
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
