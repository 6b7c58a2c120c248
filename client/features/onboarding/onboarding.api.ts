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

const joined = (before: OnboardingPatch, after: OnboardingPatch): OnboardingPatch => ({
  ...before,
  ...after,
  ...(after.profile && { profile: { ...before.profile, ...after.profile } }),
})

/**
 * Keeps what is typed on the server: a moment after the last change, one call after the other, so that none overtakes a later one; and at once
 * when the page is left. A failure is not worth a word: what it would have kept goes along with the next change, and the form itself still
 * holds everything.
 */
export function useSaveProgress(): (patch: OnboardingPatch) => void {
  const waiting = useRef<OnboardingPatch>({})
  const isSending = useRef(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const send = useRef(async (): Promise<void> => {
    clearTimeout(timer.current)
    const patch = waiting.current
    if (Object.keys(patch).length === 0) return
    waiting.current = {}
    isSending.current = true
    const isKept = await call('/api/onboarding', { method: 'PATCH', body: patch, keepalive: true }).then(
      () => true,
      () => false,
    )
    isSending.current = false
    if (isKept) return send.current()
    waiting.current = joined(patch, waiting.current)
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
