import { AdminMessages } from '#client/features/admin/admin-messages.tsx'
import { AdminLayout } from './admin-layout.tsx'

export function AdminMessagesPage() {
  return (
    <AdminLayout title="Contact Messages">
      <AdminMessages />
    </AdminLayout>
  )
}
