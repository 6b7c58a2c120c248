import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { CompleteProfile, OnboardingPatch } from '#shared/schemas/onboarding.ts'
import { call } from '#client/lib/api.ts'
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
    onSuccess: ({ user }) => queryClient.setQueryData(meKey, user),
  })
}

/**
 * Keeps what is typed on the server, a moment after the last change and when the page is left. A failure is not worth
 * a word: the next change tries again, and the form itself still holds everything.
 */
export function useSaveProgress(): (patch: OnboardingPatch) => void {
  const waiting = useRef<OnboardingPatch>({})
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const flush = useRef(() => {
    clearTimeout(timer.current)
    const patch = waiting.current
    waiting.current = {}
    if (Object.keys(patch).length > 0) {
      call('/api/onboarding', { method: 'PATCH', body: patch, keepalive: true }).catch(() => undefined)
    }
  })
  useEffect(() => {
    const now = flush.current
    addEventListener('pagehide', now)
    return () => {
      removeEventListener('pagehide', now)
      now()
    }
  }, [])
  return (patch) => {
    const { current } = waiting
    waiting.current = {
      ...current,
      ...patch,
      ...(patch.profile && { profile: { ...current.profile, ...patch.profile } }),
    }
    clearTimeout(timer.current)
    timer.current = setTimeout(flush.current, saveAfterMs)
  }
}
