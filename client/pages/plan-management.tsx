import { useQuery } from '@tanstack/react-query'
import { PageLayout } from '#client/app/page-layout.tsx'
import { authStatusQuery } from '#client/features/auth/auth.api.ts'
import { PlanManagement } from '#client/features/billing/plan/plan-management.tsx'

export function PlanManagementPage() {
  const { data: status } = useQuery(authStatusQuery())
  return (
    <PageLayout title="Plan Management">
      <div className="mx-auto max-w-[52.5rem] space-y-3">
        <div className="mb-4 max-md:px-4 max-md:pt-4">
          <h1 className="text-lg font-semibold tracking-lg">Plan Management</h1>
          <p className="text-ink-2">Your plan, its cost and your payments.</p>
        </div>
        <PlanManagement demo={status?.demo ?? false} />
      </div>
    </PageLayout>
  )
}
