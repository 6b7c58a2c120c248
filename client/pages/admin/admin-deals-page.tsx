import { AdminDeals } from '#client/features/admin/admin-deals.tsx'
import { AdminLayout } from './admin-layout.tsx'

export function AdminDealsPage() {
  return (
    <AdminLayout title="Deals Submitted">
      <AdminDeals />
    </AdminLayout>
  )
}
