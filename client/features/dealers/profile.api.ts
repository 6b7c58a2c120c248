import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call, request, withQuery } from '#client/lib/api.ts'
import { liveQuery } from '#client/lib/live.ts'
import { withProof } from '#client/lib/proof.ts'
import { authStatusKey, meKey, postListsKey } from '#client/lib/query-keys.ts'
import { useIsShown } from '#client/lib/use-is-shown.ts'
import type { EmailChange } from '#shared/schemas/account.ts'
import type { ProfilePatch } from '#shared/schemas/dealers.ts'

export const profilesKey = ['/api/dealers', 'profile'] as const
const pendingAvatarMs = 4_000
const ownProfileKey = [...profilesKey, 'own'] as const

/** A dealer with record, achievements and how they stand to the reader. */
export function dealerProfileQuery(dealerId: string) {
  return queryOptions({
    queryKey: [...profilesKey, dealerId] as const,
    queryFn: ({ signal }) => call(`/api/dealers/${dealerId}`, { signal }),
    ...liveQuery,
  })
}

/** The newest posts of a dealer. No event tells of a new one, so it is asked anew with each look. */
export function dealerPostsQuery(dealerId: string) {
  return queryOptions({
    queryKey: [...postListsKey, 'of', dealerId] as const,
    queryFn: ({ signal }) => call(withQuery('/api/inventory', { dealerId, limit: 20 }), { signal }),
    staleTime: 0,
    ...liveQuery,
  })
}

/** One's own profile as the form edits it. */
export function ownProfileQuery() {
  return queryOptions({
    queryKey: ownProfileKey,
    queryFn: ({ signal }) => call('/api/profile', { signal }),
    // An event says sooner that a new picture is prepared; without a socket nobody would.
    refetchInterval: ({ state }) => (state.data?.pendingAvatar?.state === 'stored' ? pendingAvatarMs : false),
    ...liveQuery,
  })
}

function useProfileChange<Input, Answer>(
  mutationFn: (input: Input) => Promise<Answer>,
  refused: string,
  isSaid?: () => boolean,
) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn,
    meta: { refused, isSaid },
    onSuccess: () =>
      Promise.all([cache.invalidateQueries({ queryKey: profilesKey }), cache.invalidateQueries({ queryKey: meKey })]),
  })
}

export function useSaveProfile() {
  return useProfileChange((body: ProfilePatch) => call('/api/profile', { method: 'PATCH', body }), 'Not saved')
}

/** Title of what is said of a picture that is not taken. */
export const avatarRefused = 'Picture not saved'

/** Multipart, checked by content on the server; a job prepares it, and the profile says how far that is. */
export function useSaveAvatar() {
  return useProfileChange(async (file: File | undefined) => {
    if (file === undefined) return request('/api/profile/avatar', { method: 'DELETE' })
    const form = new FormData()
    form.set('file', file)
    return request('/api/profile/avatar', { method: 'POST', form })
  }, avatarRefused)
}

export function useChangeEmail() {
  return useProfileChange(
    (body: EmailChange) =>
      withProof(({ proof }) => call('/api/profile/email', { method: 'POST', body: { ...body, ...proof } })),
    'Email not changed',
    useIsShown(),
  )
}

/** Opened by whoever has the mail: signed in or not, and perhaps as somebody else. */
export function useConfirmEmail() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (token: string) => call('/api/profile/email/confirm', { method: 'POST', body: { token } }),
    onSuccess: () => {
      // Not waited for: a visitor has none of these.
      for (const queryKey of [authStatusKey, meKey, profilesKey]) void cache.invalidateQueries({ queryKey })
    },
  })
}
