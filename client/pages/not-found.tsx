import { SearchX } from 'lucide-react'
import { PageLayout } from '#client/app/page-layout.tsx'
import { ButtonLink } from '#client/ui/button.tsx'
import { Card } from '#client/ui/card.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'

/** Any signed-in path that is not a page (spec B §2). */
export function NotFoundPage() {
  return (
    <PageLayout title="404 Page Not Found">
      <Card>
        <EmptyState
          level={1}
          icon={<SearchX size={24} />}
          title="404 Page Not Found"
          hint="The address may be mistyped, or the page has moved."
          action={
            <ButtonLink href="/" variant="primary">
              Back to Feed
            </ButtonLink>
          }
        />
      </Card>
    </PageLayout>
  )
}
