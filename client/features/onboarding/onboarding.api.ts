import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { CurrentUser } from '#shared/schemas/dealers.ts'
import type { CompleteProfile, OnboardingPatch, ProfileDraft } from '#shared/schemas/onboarding.ts'
import { ApiError, call, reasonOf, refusedField } from '#client/lib/api.ts'
import { meKey } from '#client/lib/query-keys.ts'

/** Typing pauses this long before it is saved. */
const saveAfterMs = 500

export function onboardingQuery() {
  return queryOptions({
    queryKey: ['/api/onboarding'],
    queryFn: () => call('/api/onboarding'),
    // Read anew whenever the page is opened: another tab may have gone further.
    staleTime: 0,
    gcTime: 0,
  })
}

/** Step 1: POST the profile. The current user is then another one. */
export function useCompleteProfile() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (profile: CompleteProfile) => call('/api/auth/complete-profile', { method: 'POST', body: profile }),
    onSuccess: async ({ user }) => {
      // One that was read before has no profile yet, and would lead back here for ever.
      await queryClient.cancelQueries({ queryKey: meKey })
      // By then somebody else may be signed in.
      queryClient.setQueryData<CurrentUser>(meKey, (me) => (me?.id === user.id ? user : me))
    },
  })
}

const joined = (before: OnboardingPatch, after: OnboardingPatch): OnboardingPatch => ({
  ...before,
  ...after,
  ...(after.profile && { profile: { ...before.profile, ...after.profile } }),
})

type RefusedFields = Partial<Record<keyof ProfileDraft, string>>

/** What of it the server will never take, with its reason. A license's fields go under other names than the profile's. */
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
 * Keeps what is typed on the server: a moment after the last change, one call after the other, so that none overtakes a later one; and at once
 * when the page is left. A failure is not worth a word: what it would have kept goes along with the next change, and the form itself still
 * holds everything. A field that is refused is: it would be refused with every later call, and the others with it, so those go out alone.
 */
export function useSaveProgress(onRefused?: (fields: RefusedFields) => void): (patch: OnboardingPatch) => void {
  const waiting = useRef<OnboardingPatch>({})
  const isSending = useRef(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const tell = useRef(onRefused)
  useEffect(() => {
    tell.current = onRefused
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
    tell.current?.(Object.fromEntries(Object.entries(refused).filter(([field]) => !(field in typedSince))))
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
      // It goes out once that is answered.
      if (!isSending.current) void send.current()
    }, saveAfterMs)
  }
}
