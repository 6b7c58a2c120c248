import { useParams } from 'wouter'
import { AdminDealerFile } from '#client/features/admin/admin-dealer-file.tsx'
import { AdminInvitations } from '#client/features/admin/admin-invitations.tsx'
import { AdminNetwork } from '#client/features/admin/admin-network.tsx'
import { AdminRetention } from '#client/features/admin/admin-retention.tsx'
import { AdminUsers } from '#client/features/admin/admin-users.tsx'
import { AdminWaiting } from '#client/features/admin/admin-waiting.tsx'
import { ProofDialog } from '#client/features/auth/proof-dialog.tsx'
import { AdminLayout } from './admin-layout.tsx'

export function AdminUsersPage() {
  return (
    <AdminLayout title="User Edit">
      <AdminWaiting />
      <AdminNetwork ProofDialog={ProofDialog} />
      <AdminRetention />
      <AdminInvitations />
      <AdminUsers />
    </AdminLayout>
  )
}

/** /admin/users/{id}: in one file with the list, from which most come. */
export function AdminDealerPage() {
  const { id = '' } = useParams<{ id: string }>()
  return (
    <AdminLayout title="Dealer File">
      <AdminDealerFile key={id} id={id} />
    </AdminLayout>
  )
}
