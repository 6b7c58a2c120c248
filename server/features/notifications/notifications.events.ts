import type { InboxKind } from '#shared/events/notifications.ts'

export interface NotificationJobs {
  /** Mails the dealer what is due and still unread, in one mail. */
  'notification.mail': { dealerId: string }
  /** Tells the seller of this comment and those after it; one for each post. */
  'notification.comment': { commentId: string }
  /** Tells the seller that a dealer needs more information. */
  'notification.info': { postId: string; dealerId: string }
}

export interface InboxDomainEvents {
  /** Something of the dealer's own changed; `rev` is their gap-free number. */
  'inbox.changed': { dealerId: string; rev: number; what: InboxKind; id: string }
}
