import { queryOptions, useMutation, useMutationState, useQueryClient, type QueryClient } from '@tanstack/react-query'
import type { AccessChanged, ChangePassword, ResetPassword } from '#shared/schemas/account.ts'
import type { Login, SecondFactorAsked, Setup, SignedIn } from '#shared/schemas/auth.ts'
import { call } from '#client/lib/api.ts'
import { forgetTyped } from '#client/lib/drafts.ts'
import { forgetLeftSession, leaveSession } from '#client/lib/signing-out.ts'
import { askedAnew, liveQuery } from '#client/lib/live.ts'
import { withProof } from '#client/lib/proof.ts'
import { authStatusKey, meKey } from '#client/lib/query-keys.ts'
import { browserRetryClock, Retries } from '#client/lib/retries.ts'

/** Long enough for the toast to be seen before the screen changes. */
const leaveAfterMs = 100

/** Decides which routes exist. Refreshed after every sign-in and sign-out. */
export function authStatusQuery() {
  return queryOptions({ queryKey: authStatusKey, queryFn: () => call('/api/auth/status') })
}

/** Who may join, and whether there is an admin yet. Asked anew each time: it is an admin's to change. */
export function doorQuery() {
  return queryOptions({ queryKey: ['/api/auth/joining'], queryFn: () => call('/api/auth/joining'), staleTime: 0 })
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
export function enter(queryClient: QueryClient) {
  return () => {
    // The session that was left here has ended with it; nobody is to end the new one.
    forgetLeftSession()
    setTimeout(() => void askUntilKnown(queryClient), leaveAfterMs)
  }
}

/** Without an answer the form would say that it signs in for as long as its page is open. */
async function askUntilKnown(queryClient: QueryClient): Promise<void> {
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

/** Whether somebody is in by this answer; otherwise a second factor is asked for first. */
export const isIn = (answer: SignedIn | SecondFactorAsked | void): boolean => !answer || 'user' in answer

/** The same where a second factor may be asked for first: the form asks for it as soon as that is known. */
function enterOrAsk(queryClient: QueryClient) {
  return async (answer: SignedIn | SecondFactorAsked | void) => {
    if (!answer || 'user' in answer) return enter(queryClient)()
    const { secondFactor } = answer
    // One that was read before would take the form for it away.
    await queryClient.cancelQueries({ queryKey: authStatusKey })
    queryClient.setQueryData(authStatusQuery().queryKey, (known) => known && { ...known, secondFactor })
  }
}

/** Every way of signing in that is a call. */
export const signInKey = ['sign-in'] as const

export function useLogin() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationKey: signInKey,
    mutationFn: (input: Login) => call('/api/auth/login', { method: 'POST', body: input }),
    onSuccess: enterOrAsk(queryClient),
  })
}

export function useSignup() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationKey: signInKey,
    mutationFn: (input: Login) => call('/api/auth/signup', { method: 'POST', body: input }),
    onSuccess: enter(queryClient),
  })
}

/** Makes the first admin of the network, who is signed in from then on. */
export function useSetup() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationKey: signInKey,
    mutationFn: (input: Setup) => call('/api/auth/setup', { method: 'POST', body: input }),
    onSuccess: enter(queryClient),
  })
}

/** Signs in as a new demo dealer (a test aid). */
export function useDemoLogin() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationKey: signInKey,
    mutationFn: () => call('/api/auth/create-dummy', { method: 'POST', body: {} }),
    onSuccess: enter(queryClient),
  })
}

/** Joins the Google sign-in that waits in this browser to the account with the same e-mail. */
export function useLinkGoogle() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationKey: signInKey,
    mutationFn: (password: string) => call('/api/auth/google/link', { method: 'POST', body: { password } }),
    onSuccess: enterOrAsk(queryClient),
    meta: { refused: 'Login Failed' },
  })
}

/**
 * Logs this browser out at once, whether or not the server can be reached: the app is put away, its live connection with it, and
 * /login tells the server until it has heard it (goodbye.tsx).
 */
export function useLogout(): () => void {
  const queryClient = useQueryClient()
  return () => {
    forgetTyped()
    leaveSession(queryClient.getQueryData(authStatusQuery().queryKey)?.session ?? '')
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
  return queryOptions({ queryKey: ['/api/auth/security'], queryFn: () => call('/api/auth/security'), ...askedAnew })
}

function useSecurityChange<Input>(mutationFn: (input: Input) => Promise<unknown>, refused = 'Error') {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn,
    // A new password brings a new session.
    onSuccess: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: securityQuery().queryKey }),
        queryClient.invalidateQueries({ queryKey: authStatusKey }),
      ]),
    meta: { refused },
  })
}

export function useChangePassword() {
  return useSecurityChange(
    (input: ChangePassword) =>
      withProof(({ proof }) => call('/api/auth/password/change', { method: 'POST', body: { ...input, ...proof } })),
    'Password Not Changed',
  )
}

export function useUnlinkGoogle() {
  return useSecurityChange(
    () => withProof(({ proof = {} }) => call('/api/auth/google', { method: 'DELETE', body: proof })),
    'Google Not Unlinked',
  )
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

/** What draws QR codes, fetched when one is shown; what a code says is kept nowhere. */
export const qrCodeQuery = () => queryOptions({ queryKey: ['qr-code'], queryFn: () => import('uqr') })
