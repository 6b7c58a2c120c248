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

/** Long enough for the toast to be seen before the screen changes. */
const leaveAfterMs = 100

/** The authentication status, which decides which routes exist. Fetched after every sign-in and sign-out. */
export function authStatusQuery() {
  return queryOptions({ queryKey: authStatusKey, queryFn: () => call('/api/auth/status') })
}

/** How dealers may join, and whether there is an admin. Not cached, because an admin can change it. */
export function joiningQuery() {
  return queryOptions({ queryKey: ['/api/auth/joining'], queryFn: () => call('/api/auth/joining'), staleTime: 0 })
}

export function tickerQuery() {
  return queryOptions({ queryKey: ['/api/activity-ticker'], queryFn: () => call('/api/activity-ticker') })
}

export function meQuery() {
  return queryOptions({ queryKey: meKey, queryFn: () => call('/api/auth/me'), ...liveQuery })
}

/** Returns a function that fetches the authentication status. The signed-in app then takes over from /login. */
export function completeSignIn(queryClient: QueryClient) {
  return () => {
    // A new sign-in also ends the session that was signed out here, so stop sending that sign-out.
    forgetSignedOutSession()
    setTimeout(() => void refetchStatusUntilAnswered(queryClient), leaveAfterMs)
  }
}

/** Retries until there is a response: otherwise the form would stay busy. */
async function refetchStatusUntilAnswered(queryClient: QueryClient): Promise<void> {
  const retries = new Retries({ clock: browserRetryClock, isOver: () => false })
  const ask = async () => {
    try {
      await queryClient.invalidateQueries({ queryKey: authStatusKey }, { throwOnError: true })
    } catch (error) {
      retries.putOff('status', () => void ask(), error)
    }
  }
  await ask()
}

/** True if the response signs the user in. Otherwise the server asks for a second factor. */
export const isSignedIn = (answer: SignedIn | SecondFactorAsked | void): boolean => !answer || 'user' in answer

/** Like `completeSignIn`, for a sign-in that may need a second factor. */
function completeOrAskFactor(queryClient: QueryClient) {
  return async (answer: SignedIn | SecondFactorAsked | void) => {
    if (!answer || 'user' in answer) return completeSignIn(queryClient)()
    const { secondFactor } = answer
    // An older response would hide the second factor form.
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
 * Signs this browser out at once, even offline. The app and its live connection close, and /login sends the sign-out to
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

/** The result of a password reset, kept in the mutation cache: the page changes if the reset signs this browser out. */
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

/** @param refused title of the toast for a refusal; without it, the caller shows why */
export function useSecurityChange<Input, Answer>(mutationFn: (input: Input) => Promise<Answer>, refused?: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn,
    // A new password, and the first second factor, start a new session.
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

/** Ends one session, or all others for `others`. */
export function useRevokeSession() {
  return useSecurityChange(
    (id: string) => call(id === 'others' ? '/api/auth/sessions' : `/api/auth/sessions/${id}`, { method: 'DELETE' }),
    'Error',
  )
}

/** Mails kept by a demo server instead of being sent. */
export function demoMailQuery() {
  return queryOptions({ queryKey: ['/api/demo/mail'], queryFn: () => call('/api/demo/mail'), staleTime: 0 })
}

/** The QR code library, loaded on demand. The content is not cached. */
export const qrCodeQuery = () => queryOptions({ queryKey: ['qr-code'], queryFn: () => import('uqr') })
