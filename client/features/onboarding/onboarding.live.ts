import type { InboxHandlers } from '#client/lib/live/live-queries.ts'
import { emailCorrectableQuery } from './onboarding.api.ts'

/** Refetches whether the address can be corrected. The dealer may confirm it in another tab or on another device. */
export const onboardingInbox = {
  profile: (cache) => void cache.invalidateQueries({ queryKey: emailCorrectableQuery().queryKey }),
} satisfies InboxHandlers
