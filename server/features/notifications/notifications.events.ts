import type { InboxKind } from '#shared/events/notifications.ts'

export interface NotificationJobs {
  /** Mails the dealer's due and unread notifications in one mail. */
  'notification.mail': { dealerId: string }
  /** Notifies the seller of this comment and later ones; one job per post. */
  'notification.comment': { commentId: string }
  'notification.info': { postId: string; dealerId: string }
}

export interface InboxDomainEvents {
  /** Data of the dealer changed. `rev` has no gaps. */
  'inbox.changed': { dealerId: string; rev: number; what: InboxKind; id: string }
}
