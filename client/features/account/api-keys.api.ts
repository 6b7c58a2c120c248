import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '#client/lib/api.ts'
import { askedAnew } from '#client/lib/live.ts'
import { withProof } from '#client/lib/proof.ts'
import type { NewApiKey } from '#shared/schemas/account.ts'

/** The dealer's working keys, newest first. */
export function apiKeysQuery() {
  return queryOptions({ queryKey: ['/api/api-keys'], queryFn: () => call('/api/api-keys'), ...askedAnew })
}

/** Makes a key; the answer is the only time its secret is sent. */
export function useCreateApiKey() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: NewApiKey) =>
      withProof((given) => call('/api/api-keys', { method: 'POST', body: { ...body, ...given } })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: apiKeysQuery().queryKey }),
  })
}

/** The next call with the key is refused. */
export function useRevokeApiKey() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(`/api/api-keys/${id}`, { method: 'DELETE' }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: apiKeysQuery().queryKey }),
    meta: { refused: 'Key not revoked' },
  })
}

/** All of them: by the session, or by what a mailed link has brought along. */
export function useRevokeAllKeys(token?: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () =>
      token === undefined
        ? call('/api/api-keys', { method: 'DELETE' })
        : call('/api/auth/keys/revoke', { method: 'POST', body: { token } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: apiKeysQuery().queryKey }),
    meta: { refused: 'Keys not revoked' },
  })
}
