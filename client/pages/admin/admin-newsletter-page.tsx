import { AdminNewsletter } from '#client/features/admin/admin-newsletter.tsx'
import { AdminLayout } from './admin-layout.tsx'

export function AdminNewsletterPage() {
  return (
    <AdminLayout title="Newsletter">
      <AdminNewsletter />
    </AdminLayout>
  )
}
