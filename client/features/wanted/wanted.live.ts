import type { InboxHandlers } from '#client/lib/live.ts'
import { refetchWanted } from './wanted.api.ts'

/** Matches and counters; a deal may fill an order. */
export const wantedInbox = {
  match: (cache) => void refetchWanted(cache),
  deal: (cache) => void refetchWanted(cache),
} satisfies InboxHandlers
