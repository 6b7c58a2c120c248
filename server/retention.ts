import type { Sweeps } from './features/admin/retention.service.ts'
import { sweepFlags } from './features/auctions/shared-accounts/shared-accounts.service.ts'
import { sweepProfileViews } from './features/dealers/dealers.service.ts'
import { sweepMessages } from './features/messaging/messages.service.ts'
import { sweepNotifications } from './features/notifications/notifications.service.ts'
import { sweepViews } from './features/posts/posts-changes.service.ts'
import { sweepContact } from './features/site/contact.service.ts'
import { removeOldFailures } from './platform/jobs/outbox.repository.ts'
import { removeEndedSessions } from './platform/session/session.repository.ts'

/** The steps of the daily retention run. The keys appear in its log line. */
export const sweeps: Sweeps = {
  messages: sweepMessages,
  logs: {
    notifications: sweepNotifications,
    sessions: removeEndedSessions,
    'post views': sweepViews,
    'profile views': sweepProfileViews,
    'contact messages': sweepContact,
    'failed jobs': removeOldFailures,
    'auction flags': sweepFlags,
  },
}
