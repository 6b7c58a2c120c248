import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '#client/lib/api.ts'
import { liveQuery } from '#client/lib/live.ts'
import { authStatusKey } from '#client/lib/query-client.ts'
import type { AuthStatus, Login, SignedIn } from '#shared/schemas/auth.ts'
import type { CurrentUser } from '#shared/schemas/dealers.ts'

/** Decides which routes exist (spec B §2). Refreshed after every sign-in and sign-out. */
export function authStatusQuery() {
  return queryOptions({
    queryKey: authStatusKey,
    queryFn: () => call<AuthStatus>('/api/auth/status'),
  })
}

/** The current user (spec A §7). */
export function meQuery() {
  return queryOptions({ queryKey: ['/api/auth/me'], queryFn: () => call<CurrentUser>('/api/auth/me'), ...liveQuery })
}

/** Signs in with an account, or as a new demo dealer. */
export function useLogin() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (input: Login | 'demo') =>
      input === 'demo'
        ? call<SignedIn>('/api/auth/create-dummy', { method: 'POST', body: {} })
        : call<SignedIn>('/api/auth/login', { method: 'POST', body: input }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: authStatusQuery().queryKey }),
  })
}

/** Ends the session. Whatever the server says, this browser is then signed out as far as it knows. */
export function useLogout() {
  return useMutation({
    mutationFn: () => call('/api/auth/logout', { method: 'POST', body: {} }),
    // A fresh page holds nothing of the dealer who left.
    onSettled: () => window.location.assign('/login'),
  })
}
