import { queryOptions, useMutation, useMutationState, useQueryClient, type QueryClient } from '@tanstack/react-query'
import type { AccessChanged, ChangePassword, ResetPassword } from '#shared/schemas/account.ts'
import type { Login, SecondFactorAsked, Setup, SignedIn } from '#shared/schemas/auth.ts'
import { call } from '#client/lib/http/api.ts'
import { leavePush } from '#client/lib/push-device.ts'
import { forgetTyped } from '#client/lib/storage/drafts.ts'
import { forgetSignedOutSession, markSignedOut } from '#client/lib/session/signing-out.ts'
import { alwaysRefetched, liveQuery } from '#client/lib/live/live-queries.ts'
import { withProof } from '#client/lib/session/identity-proof.ts'
import { authStatusKey, meKey } from '#client/lib/query/query-keys.ts'
import { browserRetryClock, Retries } from '#client/lib/http/retries.ts'

/** Delay in milliseconds, so that the toast can be seen before the screen changes. */
const leaveAfterMs = 100

/** Query for the authentication status, which decides which routes exist. Fetched after every sign-in and sign-out. */
export function authStatusQuery() {
  return queryOptions({ queryKey: authStatusKey, queryFn: () => call('/api/auth/status') })
}

/** Query for how dealers may join and whether there is an admin. Always refetched, because an admin can change it. */
export function joiningQuery() {
  return queryOptions({ queryKey: ['/api/auth/joining'], queryFn: () => call('/api/auth/joining'), staleTime: 0 })
}

export function tickerQuery() {
  return queryOptions({ queryKey: ['/api/activity-ticker'], queryFn: () => call('/api/activity-ticker') })
}

export function meQuery() {
  return queryOptions({ queryKey: meKey, queryFn: () => call('/api/auth/me'), ...liveQuery })
}

/** Returns a function that completes a sign-in: it fetches the authentication status, after which the signed-in app replaces /login. */
export function completeSignIn(queryClient: QueryClient) {
  return () => {
    // The new sign-in also ends the session that was signed out in this browser, so stop sending that sign-out.
    forgetSignedOutSession()
    setTimeout(() => void refetchStatusUntilAnswered(queryClient), leaveAfterMs)
  }
}

/** Refetches the status and retries until there is a response. Without retries, the form could stay busy forever. */
async function refetchStatusUntilAnswered(queryClient: QueryClient): Promise<void> {
  const retries = new Retries({ clock: browserRetryClock, isOver: () => false })
  const ask = async () => {
    try {
      await queryClient.invalidateQueries({ queryKey: authStatusKey }, { throwOnError: true })
    } catch (error) {
      retries.schedule('status', () => void ask(), error)
    }
  }
  await ask()
}

/** True if the response signs the user in. Otherwise, the server requires a second factor. */
export const isSignedIn = (answer: SignedIn | SecondFactorAsked | void): boolean => !answer || 'user' in answer

/** Completes a sign-in like `completeSignIn`, unless the server requires a second factor. Then shows the form for it. */
function completeOrAskFactor(queryClient: QueryClient) {
  return async (answer: SignedIn | SecondFactorAsked | void) => {
    if (!answer || 'user' in answer) return completeSignIn(queryClient)()
    const { secondFactor } = answer
    // Cancel fetches in flight, because an older response would hide the form for the second factor.
    await queryClient.cancelQueries({ queryKey: authStatusKey })
    queryClient.setQueryData(authStatusQuery().queryKey, (known) => known && { ...known, secondFactor })
  }
}

export const signInKey = ['sign-in'] as const

export function useLogin() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationKey: signInKey,
    mutationFn: (input: Login) => call('/api/auth/login', { method: 'POST', body: input }),
    onSuccess: completeOrAskFactor(queryClient),
  })
}

export function useSignup() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationKey: signInKey,
    mutationFn: (input: Login) => call('/api/auth/signup', { method: 'POST', body: input }),
    onSuccess: completeSignIn(queryClient),
  })
}

export function useSetup() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationKey: signInKey,
    mutationFn: (input: Setup) => call('/api/auth/setup', { method: 'POST', body: input }),
    onSuccess: completeSignIn(queryClient),
  })
}

/** Signs in as a new demo dealer, for testing. */
export function useDemoLogin() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationKey: signInKey,
    mutationFn: () => call('/api/auth/create-dummy', { method: 'POST', body: {} }),
    onSuccess: completeSignIn(queryClient),
  })
}

export function useLinkGoogle() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationKey: signInKey,
    mutationFn: (password: string) => call('/api/auth/google/link', { method: 'POST', body: { password } }),
    onSuccess: completeOrAskFactor(queryClient),
    meta: { refused: 'Login Failed' },
  })
}

/**
 * Signs out in this browser immediately, even offline. The app and its live connection close. The page /login then sends the sign-out to
 * the server until it succeeds (pending-sign-out.tsx).
 */
export function useLogout(): () => void {
  const queryClient = useQueryClient()
  return () => {
    forgetTyped()
    void leavePush()
    markSignedOut(queryClient.getQueryData(authStatusQuery().queryKey)?.session ?? '')
  }
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
 * Returns the result of a password reset. It is read from the mutation cache, because the page is mounted again if the reset signs this
 * browser out.
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

export function securityQuery() {
  return queryOptions({
    queryKey: ['/api/auth/security'],
    queryFn: () => call('/api/auth/security'),
    ...alwaysRefetched,
  })
}

/** @param refused title of the toast for a refused change; if omitted, the caller shows the error */
export function useSecurityChange<Input, Answer>(mutationFn: (input: Input) => Promise<Answer>, refused?: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn,
    // Changing the password, or adding the first second factor, starts a new session.
    onSuccess: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: securityQuery().queryKey }),
        queryClient.invalidateQueries({ queryKey: authStatusKey }),
      ]),
    ...(refused && { meta: { refused } }),
  })
}

export function useChangePassword() {
  return useSecurityChange(
    (input: ChangePassword) =>
      withProof((given) => call('/api/auth/password/change', { method: 'POST', body: { ...input, ...given } })),
    'Password Not Changed',
  )
}

export function useUnlinkGoogle() {
  return useSecurityChange(
    () => withProof((given) => call('/api/auth/google', { method: 'DELETE', body: given })),
    'Google Not Unlinked',
  )
}

export function useResendVerification() {
  return useSecurityChange(() => call('/api/auth/email/resend', { method: 'POST', body: {} }), 'Error')
}

/** Ends one session. With `others`, ends all sessions except this one. */
export function useRevokeSession() {
  return useSecurityChange(
    (id: string) => call(id === 'others' ? '/api/auth/sessions' : `/api/auth/sessions/${id}`, { method: 'DELETE' }),
    'Error',
  )
}

/** Query for emails that a demo server stored instead of sending. */
export function demoMailQuery() {
  return queryOptions({ queryKey: ['/api/demo/mail'], queryFn: () => call('/api/demo/mail'), staleTime: 0 })
}

/** Query that loads the QR code library on demand. The codes themselves are not cached. */
export const qrCodeQuery = () => queryOptions({ queryKey: ['qr-code'], queryFn: () => import('uqr') })
