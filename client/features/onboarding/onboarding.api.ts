import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { CurrentUser } from '#shared/schemas/dealers.ts'
import type { CompleteProfile, OnboardingPatch, ProfileDraft } from '#shared/schemas/onboarding.ts'
import { ApiError, call, reasonOf, refusedField } from '#client/lib/http/api.ts'
import { liveQuery } from '#client/lib/live/live-queries.ts'
import { meKey } from '#client/lib/query/query-keys.ts'

const saveAfterMs = 500

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

const joined = (before: OnboardingPatch, after: OnboardingPatch): OnboardingPatch => ({
  ...before,
  ...after,
  ...(after.profile && { profile: { ...before.profile, ...after.profile } }),
})

type RefusedFields = Partial<Record<keyof ProfileDraft, string>>

/** Returns an error by field. The server uses other names for the license fields, so a 400 without a known name is about the license. */
function refusedOf({ profile = {} }: OnboardingPatch, failure: unknown): RefusedFields {
  const named = refusedField(failure, Object.keys(profile) as (keyof ProfileDraft)[])
  if (Object.keys(named).length > 0) return named
  const isLicense = profile.license !== undefined && failure instanceof ApiError && failure.status === 400
  return isLicense ? { license: reasonOf(failure) } : {}
}

function without({ profile, ...patch }: OnboardingPatch, refused: RefusedFields): OnboardingPatch {
  const left = Object.entries(profile ?? {}).filter(([field]) => !(field in refused))
  return left.length === 0 ? patch : { ...patch, profile: Object.fromEntries(left) }
}

/**
 * Saves input while the dealer types: debounced, one request at a time, and immediately when the dealer leaves the page.
 * Failures are not shown, because the next change sends the values again. Rejected fields are reported and excluded.
 */
export function useSaveProgress(onRefused?: (fields: RefusedFields) => void): (patch: OnboardingPatch) => void {
  const waiting = useRef<OnboardingPatch>({})
  const isSending = useRef(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const refusedListener = useRef(onRefused)
  useEffect(() => {
    refusedListener.current = onRefused
  })
  const send = useRef(async (): Promise<void> => {
    clearTimeout(timer.current)
    const patch = waiting.current
    if (Object.keys(patch).length === 0) return
    waiting.current = {}
    isSending.current = true
    const failure: unknown = await call('/api/onboarding', { method: 'PATCH', body: patch, keepalive: true }).then(
      () => undefined,
      (error: unknown) => error,
    )
    isSending.current = false
    if (failure === undefined) return send.current()
    const refused = refusedOf(patch, failure)
    const typedSince = waiting.current.profile ?? {}
    refusedListener.current?.(Object.fromEntries(Object.entries(refused).filter(([field]) => !(field in typedSince))))
    waiting.current = joined(without(patch, refused), waiting.current)
    if (Object.keys(refused).length > 0) return send.current()
  })
  useEffect(() => {
    const now = () => void send.current()
    addEventListener('pagehide', now)
    return () => {
      removeEventListener('pagehide', now)
      now()
    }
  }, [])
  return (patch) => {
    waiting.current = joined(waiting.current, patch)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      // If a request is in flight, it sends this change after it succeeds.
      if (!isSending.current) void send.current()
    }, saveAfterMs)
  }
}
