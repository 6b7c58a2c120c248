import { dropDealerNotes } from './features/admin/dealer-file/dealer-file.service.ts'
import { dropExports } from './features/account/export.service.ts'
import { dropPresets } from './features/auctions/presets/auction-presets.service.ts'
import { anonymizeInLog } from './features/audit/audit.service.ts'
import { removeKeys } from './features/auth/api-keys/api-keys.repository.ts'
import { dropIdentities, dropLinks } from './features/auth/auth-tokens.service.ts'
import { removeEmailChange } from './features/auth/email-change.repository.ts'
import { clearSecondFactor } from './features/auth/second-factor/second-factor.service.ts'
import { dropGrants } from './features/billing/billing-admin.service.ts'
import { dropCard, dropGift } from './features/billing/billing-changes.service.ts'
import { deletedName } from './features/dealers/dealers.service.ts'
import { notifyOfDeletedParty } from './features/deals/deals.service.ts'
import { endOffersOf, withdrawOffersOf } from './features/deals/offers/offers.service.ts'
import { dropPins } from './features/lane/lane.service.ts'
import { dropNotifications, anonymizeActor } from './features/notifications/notifications.service.ts'
import { dropOnboarding } from './features/onboarding/onboarding.service.ts'
import { dropColumnChoices } from './features/posting/spreadsheets.service.ts'
import { removePostsOf } from './features/posts/posts-changes.service.ts'
import { dropSaved } from './features/saved/saved.service.ts'
import { dropContact } from './features/site/contact.service.ts'
import { dropAddress } from './features/site/newsletter.service.ts'
import { dropSources, releaseUrls } from './features/uploads/uploads.service.ts'
import { dropOrders } from './features/wanted/orders.service.ts'
import type { Tx } from './platform/database/db.ts'
import type { OnLeaving } from './platform/leaving.ts'
import { removeMailsTo } from './platform/jobs/outbox.repository.ts'

const drops: ((tx: Tx, dealerId: string) => Promise<unknown>)[] = [
  clearSecondFactor,
  dropCard,
  dropColumnChoices,
  dropDealerNotes,
  dropGift,
  dropGrants,
  dropIdentities,
  dropLinks,
  dropNotifications,
  dropOnboarding,
  dropPins,
  dropPresets,
  dropOrders,
  dropSaved,
  dropSources,
  removeEmailChange,
  removeKeys,
]

const removeTraces: OnLeaving = async (tx, _emit, { id, email, name, emailVerifiedAt }) => {
  const contactIds = await dropContact(tx, id, emailVerifiedAt === null ? undefined : email)
  if (emailVerifiedAt !== null) await dropAddress(tx, email)
  await anonymizeActor(tx, id, name, deletedName)
  await anonymizeInLog(tx, id, contactIds, deletedName)
  await removeMailsTo(tx, id, email)
}

/** The order matters: offers end after the posts are removed, and the name is removed before other dealers are notified. */
export const onLeaving: OnLeaving[] = [
  ...drops.map(
    (drop): OnLeaving =>
      async (tx, _emit, { id }) =>
        void (await drop(tx, id)),
  ),
  (tx, _emit, { id, avatar, licenseScan }) =>
    releaseUrls(
      tx,
      id,
      [avatar, licenseScan].flatMap((url) => url ?? []),
    ),
  (tx, emit, { id }) => removePostsOf(tx, emit, id),
  (tx, emit, { id }) => dropExports(tx, emit, id),
  removeTraces,
  (tx, emit, { id }) => withdrawOffersOf(tx, emit, id),
  (tx, emit, { id }) => endOffersOf(tx, emit, id),
  (tx, emit, { id }) => notifyOfDeletedParty(tx, emit, id),
]
