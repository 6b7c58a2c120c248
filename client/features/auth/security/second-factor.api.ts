import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Proof, SecondFactorAnswer } from '#shared/schemas/auth.ts'
import { call } from '#client/lib/http/api.ts'
import { authStatusKey } from '#client/lib/query/query-keys.ts'
import { completeSignIn, securityQuery, signInKey, useSecurityChange } from '../auth.api.ts'
import { makePasskey, signWithPasskey } from './passkey-browser.ts'

/** Completes a sign-in with the second factor. For `passkey`, first asks the browser to use a passkey. */
export function useFinishSignIn() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationKey: signInKey,
    mutationFn: async (given: SecondFactorAnswer | 'passkey') => {
      const body =
        given === 'passkey'
          ? {
              passkey: await signWithPasskey(
                await call('/api/auth/second-factor/options', { method: 'POST', body: {} }),
              ),
            }
          : given
      return call('/api/auth/second-factor', { method: 'POST', body })
    },
    onSuccess: completeSignIn(queryClient),
  })
}

export function usePasskeySignIn() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationKey: signInKey,
    mutationFn: async () => {
      const options = await call('/api/auth/passkeys/sign-in/options', { method: 'POST', body: {} })
      const passkey = await signWithPasskey(options)
      return call('/api/auth/passkeys/sign-in', { method: 'POST', body: { passkey } })
    },
    onSuccess: completeSignIn(queryClient),
    meta: { refused: 'Login Failed' },
  })
}

export function useCancelSignIn() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => call('/api/auth/second-factor', { method: 'DELETE' }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: authStatusKey }),
  })
}

export async function provePasskey(): Promise<Proof> {
  return { passkey: await signWithPasskey(await call('/api/auth/proof/options', { method: 'POST', body: {} })) }
}

/** Emails a link to the dealer. Opening it confirms the dealer's identity in the session of the browser that opens it. */
export function useMailProof() {
  return useMutation({
    mutationFn: () => call('/api/auth/proof/mail', { method: 'POST', body: {} }),
    meta: { refused: 'Email not sent' },
  })
}

export function useConfirmProof() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (token: string) => call('/api/auth/proof/confirm', { method: 'POST', body: { token } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: securityQuery().queryKey }),
  })
}

export function useStartAuthenticator() {
  return useMutation({
    mutationFn: (proof: Proof) => call('/api/auth/authenticator', { method: 'POST', body: { proof } }),
  })
}

export function useConfirmAuthenticator() {
  return useSecurityChange((code: string) =>
    call('/api/auth/authenticator/confirm', { method: 'POST', body: { code } }),
  )
}

export function useTurnOffAuthenticator() {
  return useSecurityChange((proof: Proof) => call('/api/auth/authenticator', { method: 'DELETE', body: { proof } }))
}

export function useAddPasskey() {
  return useSecurityChange(async ({ name, proof }: { name: string; proof: Proof }) => {
    const made = await makePasskey(await call('/api/auth/passkeys/options', { method: 'POST', body: { proof } }))
    return call('/api/auth/passkeys', { method: 'POST', body: { name, passkey: made } })
  })
}

export function useRenamePasskey() {
  return useSecurityChange(({ id, name }: { id: string; name: string }) =>
    call(`/api/auth/passkeys/${id}`, { method: 'PATCH', body: { name } }),
  )
}

export function useDeletePasskey() {
  return useSecurityChange(({ id, proof }: { id: string; proof: Proof }) =>
    call(`/api/auth/passkeys/${id}`, { method: 'DELETE', body: { proof } }),
  )
}

export function useRenewRecoveryCodes() {
  return useSecurityChange((proof: Proof) => call('/api/auth/recovery-codes', { method: 'POST', body: { proof } }))
}
