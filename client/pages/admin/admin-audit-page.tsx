import { AdminAudit } from '#client/features/admin/admin-audit.tsx'
import { AdminLayout } from './admin-layout.tsx'

export function AdminAuditPage() {
  return (
    <AdminLayout title="Audit Log">
      <AdminAudit />
    </AdminLayout>
  )
}
