import { useParams } from 'wouter'
import { AdminDealerFile } from '#client/features/admin/admin-dealer-file.tsx'
import { AdminLayout } from './admin-layout.tsx'

/** /admin/users/{id} */
export function AdminDealerPage() {
  const { id = '' } = useParams<{ id: string }>()
  return (
    <AdminLayout title="Dealer File">
      <AdminDealerFile key={id} id={id} />
    </AdminLayout>
  )
}
