import { AdminHealth } from '#client/features/admin/home/admin-health.tsx'
import { AdminHome } from '#client/features/admin/home/admin-home.tsx'
import { OpsSummary } from '#client/features/ops/ops-summary.tsx'
import { AdminLayout } from './admin-layout.tsx'

export function AdminHomePage() {
  return (
    <AdminLayout title="Admin" isHome headerEnd={<AdminHealth />}>
      <AdminHome aside={<OpsSummary />} />
    </AdminLayout>
  )
}
