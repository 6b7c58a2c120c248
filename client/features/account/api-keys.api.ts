import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '#client/lib/http/api.ts'
import { alwaysRefetched } from '#client/lib/live/live-queries.ts'
import { withProof } from '#client/lib/session/identity-proof.ts'
import type { NewApiKey } from '#shared/schemas/account.ts'

export function apiKeysQuery() {
  return queryOptions({ queryKey: ['/api/api-keys'], queryFn: () => call('/api/api-keys'), ...alwaysRefetched })
}

/** Creates an API key. Only this response contains the key's secret. */
export function useCreateApiKey() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: NewApiKey) =>
      withProof((given) => call('/api/api-keys', { method: 'POST', body: { ...body, ...given } })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: apiKeysQuery().queryKey }),
  })
}

export function useRevokeApiKey() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(`/api/api-keys/${id}`, { method: 'DELETE' }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: apiKeysQuery().queryKey }),
    meta: { refused: 'Key not revoked' },
  })
}

/** Revokes all API keys. The request is authorized by `token` from an emailed link, or by the session if there is no token. */
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
