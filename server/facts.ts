import type { AuctionFacts, AuctionJobs } from './features/auctions/auctions.facts.ts'
import type { DealFacts, DealJobs } from './features/deals/deals.facts.ts'
import type { PostFacts, PostJobs } from './features/posts/posts.facts.ts'
import type { CommentFacts } from './features/comments/comments.facts.ts'
import type { AuthFacts, AuthJobs } from './features/auth/auth.facts.ts'
import type { BackupJobs } from './features/backups/backups.facts.ts'
import type { BillingJobs } from './features/billing/billing.facts.ts'
import type { AccountJobs } from './features/account/account.facts.ts'
import type { SavedJobs } from './features/saved/saved.facts.ts'
import type { NotificationJobs } from './features/notifications/notifications.facts.ts'
import type { SettingsFacts } from './features/settings/settings.facts.ts'
import type { ChatFacts, ChatJobs } from './features/chats/chats.facts.ts'
import type { MessageFacts } from './features/chats/messages.facts.ts'
import type { InboxFacts } from './features/inbox/inbox.facts.ts'
import type { ContactJobs } from './features/contact/contact.facts.ts'
import type { ListJobs } from './features/lists/lists.facts.ts'
import type { StatusJobs } from './features/status/status.facts.ts'
import type { SpreadsheetJobs } from './features/spreadsheets/spreadsheets.facts.ts'
import type { UploadFacts, UploadJobs } from './features/uploads/uploads.facts.ts'
import type { PromotionFacts } from './features/promotions/promotions.facts.ts'

/**
 * Everything that can happen. A feature declares its facts and the payloads of its jobs in `x.facts.ts`;
 * this list joins them, so that a misspelt name or payload does not compile anywhere.
 * Facts carry ids and absolute values, never rows of the database.
 */
export interface Facts
  extends
    AuctionFacts,
    DealFacts,
    PostFacts,
    CommentFacts,
    AuthFacts,
    InboxFacts,
    SettingsFacts,
    UploadFacts,
    ChatFacts,
    MessageFacts,
    PromotionFacts {}

/** Background jobs by name. Payloads carry ids only: the handler re-reads. */
export interface JobPayloads
  extends
    DealJobs,
    AuctionJobs,
    PostJobs,
    AuthJobs,
    BackupJobs,
    BillingJobs,
    ContactJobs,
    ListJobs,
    StatusJobs,
    NotificationJobs,
    AccountJobs,
    SavedJobs,
    UploadJobs,
    SpreadsheetJobs,
    ChatJobs {}
