import { queryOptions, useMutation, useMutationState, useQueryClient, type QueryClient } from '@tanstack/react-query'
import type { AccessChanged, ChangePassword, ResetPassword } from '#shared/schemas/account.ts'
import type { Login, SecondFactorAsked, Setup, SignedIn } from '#shared/schemas/auth.ts'
import { call } from '#client/lib/http/api.ts'
import { leavePush } from '#client/lib/push-device.ts'
import { forgetTypedText } from '#client/lib/storage/drafts.ts'
import { forgetSignedOutSession, markSignedOut } from '#client/lib/session/signing-out.ts'
import { alwaysRefetched, liveQuery } from '#client/lib/live/live-queries.ts'
import { withProof } from '#client/lib/session/identity-proof.ts'
import { authStatusKey, meKey } from '#client/lib/query/query-keys.ts'
import { browserRetryClock, Retries } from '#client/lib/http/retries.ts'

/** Milliseconds to show the toast before the screen changes. */
const leaveAfterMs = 100

/** The sign-in status decides which routes exist. It is refetched after every sign-in and sign-out. */
export function authStatusQuery() {
  return queryOptions({ queryKey: authStatusKey, queryFn: () => call('/api/auth/status') })
}

/** Always refetched, because an admin can change how dealers may join. */
export function joiningQuery() {
  return queryOptions({ queryKey: ['/api/auth/joining'], queryFn: () => call('/api/auth/joining'), staleTime: 0 })
}

export function tickerQuery() {
  return queryOptions({ queryKey: ['/api/activity-ticker'], queryFn: () => call('/api/activity-ticker') })
}

export function meQuery() {
  return queryOptions({ queryKey: meKey, queryFn: () => call('/api/auth/me'), ...liveQuery })
}

/** Returns a function that refetches the sign-in status. The signed-in app then replaces the sign-in form. */
export function completeSignIn(queryClient: QueryClient) {
  return () => {
    // The new sign-in also ends the session that was signed out in this browser, so stop sending the pending sign-out request.
    forgetSignedOutSession()
    setTimeout(() => void refetchStatusUntilAnswered(queryClient), leaveAfterMs)
  }
}

/** Refetches the sign-in status. Retries until there is a response, because the form stays busy until then. */
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

/** Completes a sign-in, or shows the form for the second factor if the server requires one. */
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

/** Signs out in this browser immediately, even offline. The page /login then sends the sign-out to the server (pending-sign-out.tsx). */
export function useLogout(): () => void {
  const queryClient = useQueryClient()
  return () => {
    forgetTypedText()
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

/** Reads the result of a password reset from the mutation cache, because the reset may sign this browser out and remount the page. */
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

/** @param refused title of the toast for a rejected change; if omitted, the caller shows the error */
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

/** Ends a session. If the id is `others`, ends all sessions except this one. */
export function useRevokeSession() {
  return useSecurityChange(
    (id: string) => call(id === 'others' ? '/api/auth/sessions' : `/api/auth/sessions/${id}`, { method: 'DELETE' }),
    'Error',
  )
}

export function demoMailQuery() {
  return queryOptions({ queryKey: ['/api/demo/mail'], queryFn: () => call('/api/demo/mail'), staleTime: 0 })
}

export const qrCodeQuery = () => queryOptions({ queryKey: ['qr-code'], queryFn: () => import('uqr') })
