import { queryOptions, useMutation, useMutationState, useQueryClient, type QueryClient } from '@tanstack/react-query'
import type { AccessChanged, ChangePassword, ResetPassword } from '#shared/schemas/account.ts'
import type { Login } from '#shared/schemas/auth.ts'
import { call } from '#client/lib/api.ts'
import { forgetCommentDrafts } from '#client/lib/drafts.ts'
import { startSigningOut } from '#client/lib/signing-out.ts'
import { liveQuery } from '#client/lib/live.ts'
import { answersOf } from '#client/lib/query-client.ts'
import { authStatusKey, meKey } from '#client/lib/query-keys.ts'

/** Long enough for the toast to be seen before the screen changes. */
const leaveAfterMs = 100
const goodbyePatienceMs = 1_000

/** Decides which routes exist. Refreshed after every sign-in and sign-out. */
export function authStatusQuery() {
  return queryOptions({ queryKey: authStatusKey, queryFn: () => call('/api/auth/status') })
}

/** What is going on in the network, for whoever stands at its door. */
export function wireQuery() {
  return queryOptions({ queryKey: ['/api/activity-ticker'], queryFn: () => call('/api/activity-ticker') })
}

/** The current user. */
export function meQuery() {
  return queryOptions({ queryKey: meKey, queryFn: () => call('/api/auth/me'), ...liveQuery })
}

/** The signed-in app takes over as soon as the status is read again; it leads from /login to the wanted page. */
function enter(queryClient: QueryClient) {
  return () => void setTimeout(() => void queryClient.invalidateQueries({ queryKey: authStatusKey }), leaveAfterMs)
}

export function useLogin() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (input: Login) => call('/api/auth/login', { method: 'POST', body: input }),
    onSuccess: enter(queryClient),
  })
}

export function useSignup() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (input: Login) => call('/api/auth/signup', { method: 'POST', body: input }),
    onSuccess: enter(queryClient),
  })
}

/** Signs in as a new demo dealer (a test aid). */
export function useDemoLogin() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => call('/api/auth/create-dummy', { method: 'POST', body: {} }),
    onSuccess: enter(queryClient),
  })
}

/** Joins the Google sign-in that waits in this browser to the account with the same e-mail. */
export function useLinkGoogle() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (password: string) => call('/api/auth/google/link', { method: 'POST', body: { password } }),
    onSuccess: enter(queryClient),
    meta: { refused: 'Login Failed' },
  })
}

/** What is asked for already is let come to its end, within reason: after the goodbye it would be refused. */
function answersUnderWay(queryClient: QueryClient): Promise<unknown> {
  const late = new Promise((resolve) => setTimeout(resolve, goodbyePatienceMs))
  return Promise.race([answersOf(queryClient.getQueryCache().findAll({ fetchStatus: 'fetching' })), late])
}

/**
 * Ends the session. The app is put away first (signing-out.ts), its live connection with it: it would hear of the end of the
 * session and look for a page of its own. Whatever the server says, /login is next.
 */
export function useLogout() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async () => {
      await answersUnderWay(queryClient)
      await call('/api/auth/logout', { method: 'POST', body: {} })
    },
    onMutate: startSigningOut,
    onSettled: () => {
      forgetCommentDrafts()
      // A fresh page holds nothing of the dealer who left, nor does Back bring this one again.
      window.location.replace('/login')
    },
  })
}

const resetRefused = 'Reset Failed'

export function useForgotPassword() {
  return useMutation({
    mutationFn: (email: string) => call('/api/auth/password/forgot', { method: 'POST', body: { email } }),
    meta: { refused: resetRefused },
  })
}

const resetKey = (token: string) => ['reset', token] as const

export function useResetPassword(token: string) {
  return useMutation({
    mutationKey: resetKey(token),
    mutationFn: (password: string) =>
      call('/api/auth/password/reset', {
        method: 'POST',
        body: { token, password } satisfies ResetPassword,
      }),
    meta: { refused: resetRefused },
  })
}

/**
 * What came of it. It outlives the page: where this browser was signed in to that account, it is not any more, and the
 * page is another one.
 */
export function useResetOutcome(token: string): AccessChanged | undefined {
  const filters = { mutationKey: resetKey(token), status: 'success' } as const
  return useMutationState({ filters, select: ({ state }) => state.data as AccessChanged }).at(-1)
}

export function useVerifyEmail() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (token: string) => call('/api/auth/email/verify', { method: 'POST', body: { token } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: securityQuery().queryKey }),
  })
}

/** E-mail state, ways to sign in and open sessions of the signed-in dealer. */
export function securityQuery() {
  return queryOptions({ queryKey: ['/api/auth/security'], queryFn: () => call('/api/auth/security') })
}

function useSecurityChange<Input>(mutationFn: (input: Input) => Promise<unknown>, refused = 'Error') {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: securityQuery().queryKey }),
    meta: { refused },
  })
}

export function useChangePassword() {
  return useSecurityChange(
    (input: ChangePassword) => call('/api/auth/password/change', { method: 'POST', body: input }),
    'Password Not Changed',
  )
}

export function useUnlinkGoogle() {
  return useSecurityChange(() => call('/api/auth/google', { method: 'DELETE' }), 'Google Not Unlinked')
}

export function useResendVerification() {
  return useSecurityChange(() => call('/api/auth/email/resend', { method: 'POST', body: {} }))
}

/** Ends one session, or all but this one for 'others'. */
export function useRevokeSession() {
  return useSecurityChange((id: string) =>
    call(id === 'others' ? '/api/auth/sessions' : `/api/auth/sessions/${id}`, { method: 'DELETE' }),
  )
}

/** Mails that did not leave this demo server. */
export function demoMailQuery() {
  return queryOptions({ queryKey: ['/api/demo/mail'], queryFn: () => call('/api/demo/mail'), staleTime: 0 })
}
