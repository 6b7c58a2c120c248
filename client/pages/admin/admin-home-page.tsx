import { AdminHome } from '#client/features/admin/admin-home.tsx'
import { AdminLayout } from './admin-layout.tsx'

export function AdminHomePage() {
  return (
    <AdminLayout title="Admin" isHome>
      <AdminHome />
    </AdminLayout>
  )
}
