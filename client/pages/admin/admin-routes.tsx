import type { ComponentType } from 'react'
import { lazyPart } from '#client/lib/screen/lazy-part.ts'

const page = (path: string, load: () => Promise<ComponentType>) => ({ path, Page: lazyPart(load), bare: true })

const titled = (path: string, title: string, load: () => Promise<ComponentType>) =>
  page(path, async () => {
    const [{ AdminLayout }, Part] = await Promise.all([import('./admin-layout.tsx'), load()])
    return () => (
      <AdminLayout title={title}>
        <Part />
      </AdminLayout>
    )
  })

export const adminRoutes = [
  page('/admin', () => import('./admin-home-page.tsx').then((file) => file.AdminHomePage)),
  page('/admin/users', () => import('./admin-users-page.tsx').then((file) => file.AdminUsersPage)),
  page('/admin/users/:id', () => import('./admin-users-page.tsx').then((file) => file.AdminDealerPage)),
  page('/admin/network', () => import('./admin-network-page.tsx').then((file) => file.AdminNetworkPage)),
  titled('/admin/deals', 'Deals Submitted', () =>
    import('#client/features/admin/deals/admin-deals.tsx').then((file) => file.AdminDeals),
  ),
  titled('/admin/promo', 'Promotion Edits', () =>
    import('#client/features/admin/published/admin-promotions.tsx').then((file) => file.AdminPromotions),
  ),
  {
    ...titled('/admin/pricing', 'Pricing Edits', () =>
      import('#client/features/admin/network/admin-pricing.tsx').then((file) => file.AdminPricing),
    ),
    billing: true,
  },
  titled('/admin/moderation', 'Moderation', () =>
    import('#client/features/admin/moderation/admin-moderation.tsx').then((file) => file.AdminModeration),
  ),
  titled('/admin/messages', 'Contact Messages', () =>
    import('#client/features/admin/messages/admin-messages.tsx').then((file) => file.AdminMessages),
  ),
  titled('/admin/status', 'Status Incidents', () =>
    import('#client/features/admin/published/admin-incidents.tsx').then((file) => file.AdminIncidents),
  ),
  titled('/admin/newsletter', 'Newsletter', () =>
    import('#client/features/admin/published/admin-newsletter.tsx').then((file) => file.AdminNewsletter),
  ),
  titled('/admin/audit', 'Audit Log', () =>
    import('#client/features/admin/audit/admin-audit.tsx').then((file) => file.AdminAudit),
  ),
  page('/admin/queues', () => import('./admin-queues-page.tsx').then((file) => file.AdminQueuesPage)),
]
