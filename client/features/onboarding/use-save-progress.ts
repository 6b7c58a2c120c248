import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { OnboardingPatch, ProfileDraft } from '#shared/schemas/onboarding.ts'
import { ApiError, call, reasonOf, refusedField } from '#client/lib/http/api.ts'
import { browserRetryClock, isRefusal, Retries } from '#client/lib/http/retries.ts'
import { recheckAuthStatus } from '#client/lib/query/query-client.ts'

const saveAfterMs = 500
const retryKey = 'progress'

const joined = (before: OnboardingPatch, after: OnboardingPatch): OnboardingPatch => ({
  ...before,
  ...after,
  ...(after.profile && { profile: { ...before.profile, ...after.profile } }),
})

const isEmpty = (patch: OnboardingPatch): boolean => Object.keys(patch).length === 0

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

export interface SaveFailure {
  /** True if the values are sent again automatically. If false, only the next change sends them again. */
  isRetried: boolean
  reason: string
}

/**
 * Saves input while the dealer types: debounced, one request at a time, and immediately when the dealer leaves the page.
 * Retries after an outage, but not after a refusal. Rejected fields are reported and excluded.
 * @returns `failure` is undefined unless the last request failed
 */
export function useSaveProgress(onRefused?: (fields: RefusedFields) => void): {
  save: (patch: OnboardingPatch) => void
  failure: SaveFailure | undefined
} {
  const queryClient = useQueryClient()
  const [failure, setFailure] = useState<SaveFailure>()
  const waiting = useRef<OnboardingPatch>({})
  const isSending = useRef(false)
  const isLeft = useRef(false)
  const [retries] = useState(() => new Retries({ clock: browserRetryClock, isOver: () => false }))
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const refusedListener = useRef(onRefused)
  useEffect(() => {
    refusedListener.current = onRefused
  })
  const send = useRef(async (): Promise<void> => {
    clearTimeout(timer.current)
    retries.cancelAll()
    const patch = waiting.current
    if (isEmpty(patch)) {
      retries.succeed(retryKey)
      return setFailure(undefined)
    }
    waiting.current = {}
    isSending.current = true
    const error: unknown = await call('/api/onboarding', { method: 'PATCH', body: patch, keepalive: true }).then(
      () => undefined,
      (reason: unknown) => reason,
    )
    isSending.current = false
    if (error === undefined) return send.current()
    const refused = refusedOf(patch, error)
    const typedSince = waiting.current
    const isNews = ([field]: [string, string]) => !(field in (typedSince.profile ?? {}))
    refusedListener.current?.(Object.fromEntries(Object.entries(refused).filter(isNews)))
    waiting.current = joined(without(patch, refused), typedSince)
    if (Object.keys(refused).length > 0) return send.current()
    if (error instanceof ApiError && error.status === 401) void recheckAuthStatus(queryClient)
    const isRetried = !isRefusal(error)
    setFailure({ isRetried, reason: reasonOf(error) })
    if (isLeft.current) return
    if (isRetried) retries.schedule(retryKey, () => void send.current(), error)
    else if (!isEmpty(typedSince)) return send.current()
  })
  useEffect(() => {
    isLeft.current = false
    const now = () => void send.current()
    const onOnline = () => {
      if (retries.isWaiting(retryKey)) now()
    }
    addEventListener('pagehide', now)
    addEventListener('online', onOnline)
    return () => {
      removeEventListener('pagehide', now)
      removeEventListener('online', onOnline)
      isLeft.current = true
      now()
    }
  }, [retries])
  const save = (patch: OnboardingPatch) => {
    waiting.current = joined(waiting.current, patch)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      // If a request is in flight, it sends this change after it succeeds.
      if (!isSending.current) void send.current()
    }, saveAfterMs)
  }
  return { save, failure }
}
