import { AdminNetwork } from '#client/features/admin/admin-network.tsx'
import { AdminUsers } from '#client/features/admin/admin-users.tsx'
import { AdminLayout } from './admin-layout.tsx'

export function AdminUsersPage() {
  return (
    <AdminLayout title="User Edit">
      <AdminNetwork />
      <AdminUsers />
    </AdminLayout>
  )
}
