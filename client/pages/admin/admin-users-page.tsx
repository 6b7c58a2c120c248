import { useParams } from 'wouter'
import { AdminDealerFile } from '#client/features/admin/dealer-file/admin-dealer-file.tsx'
import { AdminInvitations } from '#client/features/admin/users/admin-invitations.tsx'
import { AdminUsers } from '#client/features/admin/users/admin-users.tsx'
import { AdminWaiting, AdminWaitingLink } from '#client/features/admin/users/admin-waiting.tsx'
import { AdminLayout } from './admin-layout.tsx'

export function AdminUsersPage() {
  return (
    <AdminLayout title="User Edit" headerEnd={<AdminWaitingLink />}>
      <AdminUsers />
      <AdminWaiting />
      <AdminInvitations />
    </AdminLayout>
  )
}

/** In the same file as the list, because most admins open a dealer from the list. */
export function AdminDealerPage() {
  const { id = '' } = useParams<{ id: string }>()
  return (
    <AdminLayout title="Dealer File">
      <AdminDealerFile key={id} id={id} />
    </AdminLayout>
  )
}
