import { AdminNetwork } from '#client/features/admin/network/admin-network.tsx'
import { AdminRetention } from '#client/features/admin/network/admin-retention.tsx'
import { ProofDialog } from '#client/features/auth/security/proof-dialog.tsx'
import { AdminLayout } from './admin-layout.tsx'

export function AdminNetworkPage() {
  return (
    <AdminLayout title="Network Rules">
      <AdminNetwork ProofDialog={ProofDialog} />
      <AdminRetention />
    </AdminLayout>
  )
}
