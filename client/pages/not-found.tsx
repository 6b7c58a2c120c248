import SearchX from 'lucide-react/icons/search-x'
import { useLocation } from 'wouter'
import { PageLayout } from '#client/app/page-layout.tsx'
import { isPublicPath } from '#client/lib/session/public-paths.ts'
import { buttonClass } from '#client/ui/button.tsx'
import { ButtonLink } from '#client/ui/button-link.tsx'
import { Card } from '#client/ui/card.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'

export function NotFoundPage() {
  const [path] = useLocation()
  return (
    <PageLayout title="404 Page Not Found">
      <Card>
        <EmptyState
          level={1}
          icon={<SearchX size={24} />}
          title="404 Page Not Found"
          hint={
            isPublicPath(path)
              ? 'This page is part of our public site, and you are signed in.'
              : 'The address may be wrong, or the page has moved.'
          }
          action={
            <div className="flex flex-wrap justify-center gap-2">
              <ButtonLink href="/" variant="primary">
                Back to Feed
              </ButtonLink>
              {isPublicPath(path) ? (
                <a href={`${path}?public`} className={buttonClass({})}>
                  Open the public page
                </a>
              ) : null}
            </div>
          }
        />
      </Card>
    </PageLayout>
  )
}
