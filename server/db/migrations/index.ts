import type { Migration } from 'kysely'
import * as accounts from './0001-accounts.ts'
import * as posts from './0002-posts.ts'
import * as network from './0003-network.ts'
import * as deals from './0004-deals.ts'
import * as outbox from './0005-outbox.ts'
import * as billing from './0010-billing.ts'
import * as access from './0011-access.ts'
import * as objects from './0020-objects.ts'
import * as sheetImports from './0021-sheet-imports.ts'
import * as messaging from './0030-messaging.ts'
import * as auctions from './0040-auctions.ts'
import * as offers from './0041-offers.ts'
import * as demoAuctions from './0042-demo-auctions.ts'
import * as notifications from './0050-notifications.ts'
import * as networkViews from './0051-network.ts'
import * as emailChanges from './0052-email-changes.ts'
import * as unreadChats from './0053-unread-chats.ts'
import * as site from './0060-site.ts'
import * as audit from './0070-audit.ts'
import * as promotions from './0071-promotions.ts'
import * as dealReview from './0072-deal-review.ts'
import * as bidBatches from './0080-bid-batches.ts'
import * as messageBatches from './0081-message-batches.ts'
import * as dealersSuspended from './0082-dealers-suspended.ts'
import * as moderation from './0085-moderation.ts'
import * as backups from './0086-backups.ts'
import * as suspension from './0087-suspension.ts'
import * as messageFiles from './0093-message-files.ts'
import * as addOns from './0097-add-ons.ts'
import * as dailyBackups from './0098-daily-backups.ts'
import * as commentAttachments from './0100-comment-attachments.ts'
import * as bidPlans from './0101-bid-plans.ts'
import * as savedWords from './0103-saved-words.ts'
import * as modelWords from './0104-model-words.ts'
import * as enterpriseFeatures from './0105-enterprise-features.ts'
import * as oneAddress from './0110-one-address.ts'
import * as livingDeals from './0113-living-deals.ts'
import * as files from './0117-files.ts'

/** Written out, in order. A migration is never edited once merged. */
export const migrations: Record<string, Migration> = {
  '0001-accounts': accounts,
  '0002-posts': posts,
  '0003-network': network,
  '0004-deals': deals,
  '0005-outbox': outbox,
  '0010-billing': billing,
  '0011-access': access,
  '0020-objects': objects,
  '0021-sheet-imports': sheetImports,
  '0030-messaging': messaging,
  '0040-auctions': auctions,
  '0041-offers': offers,
  '0042-demo-auctions': demoAuctions,
  '0050-notifications': notifications,
  '0051-network': networkViews,
  '0052-email-changes': emailChanges,
  '0053-unread-chats': unreadChats,
  '0060-site': site,
  '0070-audit': audit,
  '0071-promotions': promotions,
  '0072-deal-review': dealReview,
  '0080-bid-batches': bidBatches,
  '0081-message-batches': messageBatches,
  '0082-dealers-suspended': dealersSuspended,
  '0085-moderation': moderation,
  '0086-backups': backups,
  '0087-suspension': suspension,
  '0093-message-files': messageFiles,
  '0097-add-ons': addOns,
  '0098-daily-backups': dailyBackups,
  '0100-comment-attachments': commentAttachments,
  '0101-bid-plans': bidPlans,
  '0103-saved-words': savedWords,
  '0104-model-words': modelWords,
  '0105-enterprise-features': enterpriseFeatures,
  '0110-one-address': oneAddress,
  '0113-living-deals': livingDeals,
  '0117-files': files,
}
