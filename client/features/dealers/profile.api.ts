import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call, request, withQuery } from '#client/lib/http/api.ts'
import { liveQuery } from '#client/lib/live/live-queries.ts'
import { withProof } from '#client/lib/session/identity-proof.ts'
import { assertPictureFits } from '#client/lib/files/picture-limit.ts'
import { authStatusKey, findWordsKey, meKey, postListsKey } from '#client/lib/query/query-keys.ts'
import { useIsMounted } from '#client/lib/screen/use-is-mounted.ts'
import type { EmailChange } from '#shared/schemas/account.ts'
import type { ProfilePatch } from '#shared/schemas/dealers.ts'

export const profilesKey = ['/api/dealers', 'profile'] as const
const pendingAvatarMs = 4_000
const ownProfileKey = [...profilesKey, 'own'] as const

export function dealerProfileQuery(dealerId: string) {
  return queryOptions({
    queryKey: [...profilesKey, dealerId] as const,
    queryFn: ({ signal }) => call(`/api/dealers/${dealerId}`, { signal }),
    ...liveQuery,
  })
}

/** Fetched on every visit, because no event announces a dealer's new posts. */
export function dealerPostsQuery(dealerId: string) {
  return queryOptions({
    queryKey: [...postListsKey, 'of', dealerId] as const,
    queryFn: ({ signal }) => call(withQuery('/api/inventory', { dealerId, limit: 20 }), { signal }),
    staleTime: 0,
    ...liveQuery,
  })
}

export function ownProfileQuery() {
  return queryOptions({
    queryKey: ownProfileKey,
    queryFn: ({ signal }) => call('/api/profile', { signal }),
    // Poll while a new picture is being processed, because live events arrive only while the socket is connected.
    refetchInterval: ({ state }) => (state.data?.pendingAvatar?.state === 'stored' ? pendingAvatarMs : false),
    ...liveQuery,
  })
}

function useProfileChange<Input, Answer>(
  mutationFn: (input: Input) => Promise<Answer>,
  refused: string,
  isShownInPlace?: () => boolean,
) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn,
    meta: { refused, isShownInPlace },
    onSuccess: () =>
      Promise.all([profilesKey, meKey, findWordsKey].map((queryKey) => cache.invalidateQueries({ queryKey }))),
  })
}

export function useSaveProfile() {
  return useProfileChange((body: ProfilePatch) => call('/api/profile', { method: 'PATCH', body }), 'Not saved')
}

export const avatarRefused = 'Picture not saved'

export function useSaveAvatar() {
  return useProfileChange(async (file: File | undefined) => {
    if (file === undefined) return request('/api/profile/avatar', { method: 'DELETE' })
    await assertPictureFits(file)
    const form = new FormData()
    form.set('file', file)
    return request('/api/profile/avatar', { method: 'POST', form })
  }, avatarRefused)
}

export function useChangeEmail() {
  return useProfileChange(
    (body: EmailChange) =>
      withProof((given) => call('/api/profile/email', { method: 'POST', body: { ...body, ...given } })),
    'Email not changed',
    useIsMounted(),
  )
}

/** Confirms a new email address with an emailed link. The person may be signed out, or signed in as another dealer. */
export function useConfirmEmail() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (token: string) => call('/api/profile/email/confirm', { method: 'POST', body: { token } }),
    onSuccess: () => {
      // Do not wait for these queries, because a signed-out person has none of them.
      for (const queryKey of [authStatusKey, meKey, profilesKey]) void cache.invalidateQueries({ queryKey })
    },
  })
}
