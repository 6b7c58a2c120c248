import type { FastifyInstance } from 'fastify'
import { accountRoutes, apiKeysRoutes, ownProfileRoutes, settingsRoutes } from './features/account/account.routes.ts'
import { adminUsersRoutes } from './features/admin/users/admin-users.routes.ts'
import { adminRoutes, auditRoutes } from './features/admin/admin.routes.ts'
import { auctionsRoutes } from './features/auctions/auctions.routes.ts'
import { backupsRoutes } from './features/admin/backups/backups.routes.ts'
import { authAccountRoutes } from './features/auth/auth-account.routes.ts'
import { authRoutes } from './features/auth/auth.routes.ts'
import {
  billingAddOnsRoutes,
  billingRoutes,
  billingWebhookRoutes,
  dealerBillingRoutes,
  mySubscriptionRoutes,
  pricingRoutes,
} from './features/billing/billing.routes.ts'
import { chatsRoutes, messagesRoutes } from './features/messaging/messaging.routes.ts'
import { commentsRoutes } from './features/comments/comments.routes.ts'
import { connectionsRoutes } from './features/dealers/connections.routes.ts'
import { contactRoutes, issuesRoutes, newsletterRoutes, tickerRoutes } from './features/site/site.routes.ts'
import { dealerFileRoutes } from './features/admin/dealer-file/dealer-file.routes.ts'
import { dashboardRoutes } from './features/dashboard/dashboard.routes.ts'
import { demoRoutes } from './features/demo/demo.routes.ts'
import { dealsRoutes } from './features/deals/deals.routes.ts'
import { offersRoutes } from './features/deals/offers/offers.routes.ts'
import type { FindIndex } from './features/find/columns/find-index.ts'
import { findRoutes } from './features/find/find.routes.ts'
import { directoryRoutes } from './features/dealers/directory.routes.ts'
import { googleRoutes } from './features/auth/google/google.routes.ts'
import { secondFactorRoutes, secondFactorSignInRoutes } from './features/auth/second-factor/second-factor.routes.ts'
import { laneRoutes } from './features/lane/lane.routes.ts'
import { liveFeatures } from './live.ts'
import { syncHeadsRoutes } from './realtime/sync-heads.ts'
import { moderationRoutes } from './features/moderation/moderation.routes.ts'
import { notificationsRoutes } from './features/notifications/notifications.routes.ts'
import { requireAdmission, requireProfile } from './features/onboarding/onboarding.policy.ts'
import { onboardingRoutes } from './features/onboarding/onboarding.routes.ts'
import { opsRoutes } from './features/ops/ops.routes.ts'
import { postsRoutes } from './features/posts/posts.routes.ts'
import { pushRoutes } from './features/push/push.routes.ts'
import { profilesRoutes } from './features/dealers/profiles.routes.ts'
import { promotionsRoutes } from './features/promotions/promotions.routes.ts'
import { reactionsRoutes } from './features/posts/reactions/reactions.routes.ts'
import { reviewsRoutes } from './features/reviews/reviews.routes.ts'
import { searchRoutes } from './features/search/search.routes.ts'
import { savedRoutes } from './features/saved/saved.routes.ts'
import { spreadsheetsRoutes, vinRoutes } from './features/posting/posting.routes.ts'
import { incidentsRoutes, statusRoutes } from './features/ops/status/status.routes.ts'
import { uploadsRoutes } from './features/uploads/uploads.routes.ts'
import { buyOrdersRoutes, dealersOrdersRoutes, demandRoutes, matchesRoutes } from './features/wanted/wanted.routes.ts'
import type { ViewCounter } from './features/posts/view-counter.ts'
import type { Context } from './platform/process/context.ts'

/** Call this only if billing is on. */
async function registerBilling(api: FastifyInstance, ctx: Context): Promise<void> {
  await api.register(billingRoutes, { ctx })
  await api.register(billingAddOnsRoutes, { ctx })
  await api.register(billingWebhookRoutes, { ctx })
  await api.register(pricingRoutes, { ctx })
  await api.register(dealerBillingRoutes, { ctx })
}

export async function registerRoutes(
  api: FastifyInstance,
  { ctx, views, find }: { ctx: Context; views: ViewCounter; find: FindIndex },
): Promise<void> {
  api.addHook('onRequest', requireAdmission)
  api.addHook('onRequest', requireProfile)
  await api.register(authRoutes, { ctx })
  await api.register(demoRoutes, { ctx })
  await api.register(authAccountRoutes, { ctx })
  await api.register(googleRoutes, { ctx })
  await api.register(secondFactorSignInRoutes, { ctx })
  await api.register(secondFactorRoutes, { ctx })
  await api.register(onboardingRoutes, { ctx })
  await api.register(mySubscriptionRoutes, { ctx })
  if (ctx.config.billing) await registerBilling(api, ctx)
  await api.register(postsRoutes, { ctx, views })
  await api.register(commentsRoutes, { ctx })
  await api.register(reactionsRoutes, { ctx })
  await api.register(connectionsRoutes, { ctx })
  await api.register(dashboardRoutes, { ctx })
  await api.register(dealsRoutes, { ctx })
  await api.register(reviewsRoutes, { ctx })
  await api.register(auctionsRoutes, { ctx })
  await api.register(laneRoutes, { ctx })
  await api.register(offersRoutes, { ctx })
  await api.register(contactRoutes, { ctx })
  await api.register(newsletterRoutes, { ctx })
  await api.register(issuesRoutes, { ctx })
  await api.register(statusRoutes, { ctx })
  await api.register(incidentsRoutes, { ctx })
  await api.register(tickerRoutes, { ctx })
  await api.register(apiKeysRoutes, { ctx })
  await api.register(notificationsRoutes, { ctx })
  if (ctx.config.push.on) await api.register(pushRoutes, { ctx })
  await api.register(directoryRoutes, { ctx })
  await api.register(profilesRoutes, { ctx })
  await api.register(ownProfileRoutes, { ctx })
  await api.register(accountRoutes, { ctx })
  await api.register(savedRoutes, { ctx })
  await api.register(buyOrdersRoutes, { ctx })
  await api.register(matchesRoutes, { ctx })
  await api.register(demandRoutes, { ctx })
  await api.register(dealersOrdersRoutes, { ctx })
  await api.register(searchRoutes, { ctx })
  await api.register(findRoutes, { ctx, index: find })
  await api.register(settingsRoutes, { ctx })
  await api.register(uploadsRoutes, { ctx })
  await api.register(vinRoutes, { ctx })
  await api.register(spreadsheetsRoutes, { ctx })
  await api.register(messagesRoutes, { ctx })
  await api.register(chatsRoutes, { ctx })
  await api.register(syncHeadsRoutes, { ctx, features: liveFeatures })
  await api.register(adminRoutes, { ctx })
  await api.register(adminUsersRoutes, { ctx })
  await api.register(auditRoutes, { ctx })
  await api.register(backupsRoutes, { ctx })
  await api.register(moderationRoutes, { ctx })
  await api.register(promotionsRoutes, { ctx })
  await api.register(dealerFileRoutes, { ctx })
  await api.register(opsRoutes, { ctx })
}
