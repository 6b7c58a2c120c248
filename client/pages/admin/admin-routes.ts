import type { ComponentType } from 'react'
import { lazyPage } from '#client/lib/lazy-page.ts'

/** They bring their own bar. */
const page = (path: string, load: () => Promise<ComponentType>) => ({ path, Page: lazyPage(load), bare: true })

/** Screens of admins and ops staff; each shows the not-found screen to everybody else. */
export const adminRoutes = [
  page('/admin', () => import('./admin-home-page.tsx').then((file) => file.AdminHomePage)),
  page('/admin/users', () => import('./admin-users-page.tsx').then((file) => file.AdminUsersPage)),
  page('/admin/users/:id', () => import('./admin-users-page.tsx').then((file) => file.AdminDealerPage)),
  page('/admin/deals', () => import('./admin-deals-page.tsx').then((file) => file.AdminDealsPage)),
  page('/admin/promo', () => import('./admin-promo-page.tsx').then((file) => file.AdminPromoPage)),
  {
    ...page('/admin/pricing', () => import('./admin-pricing-page.tsx').then((file) => file.AdminPricingPage)),
    billing: true,
  },
  page('/admin/moderation', () => import('./admin-moderation-page.tsx').then((file) => file.AdminModerationPage)),
  page('/admin/messages', () => import('./admin-messages-page.tsx').then((file) => file.AdminMessagesPage)),
  page('/admin/status', () => import('./admin-status-page.tsx').then((file) => file.AdminStatusPage)),
  page('/admin/newsletter', () => import('./admin-newsletter-page.tsx').then((file) => file.AdminNewsletterPage)),
  page('/admin/audit', () => import('./admin-audit-page.tsx').then((file) => file.AdminAuditPage)),
  page('/admin/queues', () => import('./admin-queues-page.tsx').then((file) => file.AdminQueuesPage)),
]
