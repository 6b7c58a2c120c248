import type { InboxHandlers } from '#client/lib/live/live-queries.ts'
import { refetchWanted } from './wanted.api.ts'

/** Also refetches after changes to deals and plans: a deal may fill an order, and a plan change may pause an order. */
export const wantedInbox = {
  match: (cache) => void refetchWanted(cache),
  deal: (cache) => void refetchWanted(cache),
  subscription: (cache) => void refetchWanted(cache),
} satisfies InboxHandlers
