import type { InboxHandlers } from '#client/lib/live.ts'
import { refetchWanted } from './wanted.api.ts'

/** Matches and counters; a deal may fill an order, and an order rests with the plan. */
export const wantedInbox = {
  match: (cache) => void refetchWanted(cache),
  deal: (cache) => void refetchWanted(cache),
  subscription: (cache) => void refetchWanted(cache),
} satisfies InboxHandlers
