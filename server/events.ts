import type { AuctionDomainEvents, AuctionJobs } from '#server/features/auctions/auctions.events.ts'
import type { DealDomainEvents, DealJobs } from '#server/features/deals/deals.events.ts'
import type { PostDomainEvents, PostJobs } from '#server/features/posts/posts.events.ts'
import type { CommentDomainEvents } from '#server/features/comments/comments.events.ts'
import type { AuthDomainEvents, AuthJobs } from '#server/features/auth/auth.events.ts'
import type { BackupJobs } from '#server/features/admin/admin.events.ts'
import type { BillingJobs } from '#server/features/billing/billing.events.ts'
import type { AccountJobs, SettingsDomainEvents } from '#server/features/account/account.events.ts'
import type { SavedJobs } from '#server/features/saved/saved.events.ts'
import type { InboxDomainEvents, NotificationJobs } from '#server/features/notifications/notifications.events.ts'
import type { PushJobs } from '#server/features/push/push.events.ts'
import type { ChatDomainEvents, ChatJobs, MessageDomainEvents } from '#server/features/messaging/messaging.events.ts'
import type { ContactJobs, NewsletterJobs } from '#server/features/site/site.events.ts'
import type { StatusJobs } from '#server/features/ops/ops.events.ts'
import type { SpreadsheetJobs } from '#server/features/posting/posting.events.ts'
import type { UploadDomainEvents, UploadJobs } from '#server/features/uploads/uploads.events.ts'
import type { FindDomainEvents } from '#server/features/find/find.events.ts'
import type { WantedJobs } from '#server/features/wanted/wanted.events.ts'
import type { PromotionDomainEvents } from '#server/features/promotions/promotions.events.ts'

/** Payloads carry ids and new values, never differences. */
export interface DomainEvents
  extends
    AuctionDomainEvents,
    DealDomainEvents,
    PostDomainEvents,
    CommentDomainEvents,
    AuthDomainEvents,
    InboxDomainEvents,
    SettingsDomainEvents,
    UploadDomainEvents,
    ChatDomainEvents,
    MessageDomainEvents,
    PromotionDomainEvents,
    FindDomainEvents {}

/** Events that must be delivered even after a crash. All other events are hints, which may be lost. */
export const durableEvents = [
  'auction.changed',
  'auction.undecided',
  'auction.unsold',
  'auction.won',
  'deal.changed',
  'inbox.changed',
  'message.changed',
  'message.sent',
  'offer.changed',
  'session.ended',
] as const satisfies readonly (keyof DomainEvents)[]
export type DurableEvent = (typeof durableEvents)[number]
export type HintEvent = Exclude<keyof DomainEvents, DurableEvent>

/** Payloads carry ids and a few parameters. Handlers read the current data. */
export interface JobPayloads
  extends
    DealJobs,
    AuctionJobs,
    PostJobs,
    AuthJobs,
    BackupJobs,
    BillingJobs,
    ContactJobs,
    NewsletterJobs,
    StatusJobs,
    NotificationJobs,
    AccountJobs,
    SavedJobs,
    WantedJobs,
    UploadJobs,
    SpreadsheetJobs,
    ChatJobs,
    PushJobs {}
