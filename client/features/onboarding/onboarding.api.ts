import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { CurrentUser } from '#shared/schemas/dealers.ts'
import type { CompleteProfile } from '#shared/schemas/onboarding.ts'
import { call } from '#client/lib/http/api.ts'
import { liveQuery } from '#client/lib/live/live-queries.ts'
import { meKey } from '#client/lib/query/query-keys.ts'

/** Poll interval in milliseconds. An account that waits for approval receives no live events. */
export const askEveryMs = 15_000

export function onboardingQuery() {
  return queryOptions({
    queryKey: ['/api/onboarding'],
    queryFn: () => call('/api/onboarding'),
    // Fetched on every visit, because the dealer may have continued in another tab.
    staleTime: 0,
    gcTime: 0,
  })
}

/**
 * True if the address can be corrected, because nobody has confirmed it. A query of its own: live events refetch it, while the step of an
 * open page changes only with this tab's own responses.
 */
export function emailCorrectableQuery() {
  return queryOptions({
    queryKey: ['/api/onboarding/email'],
    queryFn: async () => (await call('/api/onboarding')).emailCorrectable,
    gcTime: 0,
    ...liveQuery,
  })
}

/** Returns whether the address can be corrected. `isWaiting` is true for an account that waits for approval: it receives no live events. */
export const useEmailCorrectable = (initialData: boolean, isWaiting: boolean): boolean =>
  useQuery({ ...emailCorrectableQuery(), initialData, refetchInterval: isWaiting && askEveryMs }).data

export function useCompleteProfile() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (profile: CompleteProfile) => call('/api/auth/complete-profile', { method: 'POST', body: profile }),
    onSuccess: async ({ user }) => {
      // A response from before the change would say that there is no profile, and would open onboarding again.
      await queryClient.cancelQueries({ queryKey: meKey })
      // Another dealer may have signed in meanwhile.
      queryClient.setQueryData<CurrentUser>(meKey, (me) => (me?.id === user.id ? user : me))
    },
  })
}

/** Replaces an unconfirmed email address. */
export function useCorrectEmail() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (email: string) => call('/api/onboarding/email', { method: 'POST', body: { email } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: meKey }),
  })
}
