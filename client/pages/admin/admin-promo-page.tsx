import { AdminPromotions } from '#client/features/admin/admin-promotions.tsx'
import { AdminLayout } from './admin-layout.tsx'

export function AdminPromoPage() {
  return (
    <AdminLayout title="Promotion Edits">
      <AdminPromotions />
    </AdminLayout>
  )
}
