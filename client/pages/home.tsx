import { PageLayout } from '#client/app/page-layout.tsx'
import { QuickAccess } from '#client/features/side-columns/quick-access.tsx'

export function HomePage() {
  return (
    <PageLayout title="Dealer feed" left={<QuickAccess />}>
      <h1 className="sr-only">Dealer feed</h1>
    </PageLayout>
  )
}
