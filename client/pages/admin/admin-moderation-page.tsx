import { AdminModeration } from '#client/features/admin/admin-moderation.tsx'
import { AdminLayout } from './admin-layout.tsx'

export function AdminModerationPage() {
  return (
    <AdminLayout title="Moderation">
      <AdminModeration />
    </AdminLayout>
  )
}
