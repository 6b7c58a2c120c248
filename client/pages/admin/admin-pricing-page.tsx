import { AdminPricing } from '#client/features/admin/admin-pricing.tsx'
import { AdminLayout } from './admin-layout.tsx'

export function AdminPricingPage() {
  return (
    <AdminLayout title="Pricing Edits">
      <AdminPricing />
    </AdminLayout>
  )
}
