import { AdminIncidents } from '#client/features/admin/admin-incidents.tsx'
import { AdminLayout } from './admin-layout.tsx'

export function AdminStatusPage() {
  return (
    <AdminLayout title="Status Incidents">
      <AdminIncidents />
    </AdminLayout>
  )
}
