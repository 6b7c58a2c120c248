import { useQuery } from '@tanstack/react-query'
import { PageLayout } from '#client/app/page-layout.tsx'
import { authStatusQuery } from '#client/features/auth/auth.api.ts'
import { Subscribe } from '#client/features/billing/checkout/subscribe.tsx'

export function SubscribePage() {
  const { data: status } = useQuery(authStatusQuery())
  return (
    <PageLayout title="Choose Your Plan">
      <div className="mx-auto max-w-[65rem] space-y-6">
        <div className="max-md:px-4 max-md:pt-4">
          <h1 className="text-lg font-semibold tracking-lg">Choose Your Plan</h1>
          <p className="text-ink-2">Billed monthly. Cancel any time.</p>
        </div>
        <Subscribe demo={status?.demo ?? false} />
      </div>
    </PageLayout>
  )
}
