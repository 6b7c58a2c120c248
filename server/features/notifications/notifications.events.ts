import type { InboxKind } from '#shared/events/notifications.ts'

export interface NotificationJobs {
  /** Sends all due, unread notifications of the dealer in one email. */
  'notification.mail': { dealerId: string }
  /** Notifies the seller of this comment and of later ones. There is one job per post. */
  'notification.comment': { commentId: string }
  'notification.info': { postId: string; dealerId: string }
}

export interface InboxDomainEvents {
  /** The dealer's data has changed. `rev` has no gaps. */
  'inbox.changed': { dealerId: string; rev: number; what: InboxKind; id: string }
}
