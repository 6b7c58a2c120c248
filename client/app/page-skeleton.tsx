import { matchRoute, useLocation, useRouter } from 'wouter'
import { Card } from '#client/ui/card.tsx'
import { cx } from '#client/ui/cx.ts'
import { Loading, Skeleton } from '#client/ui/skeleton.tsx'
import { asideClass, pageClass } from './page-layout.tsx'
import { signedInRoutes } from './routes.ts'

/** Shows the columns of the page whose code is loading, so that the layout does not shift when the page appears. */
export function PageSkeleton() {
  const { parser } = useRouter()
  const [path] = useLocation()
  const route = signedInRoutes.find((one) => matchRoute(parser, one.path, path)[0])
  const columns = route?.columns ?? 'none'
  const hasLeft = columns === 'both' || columns === 'left'
  return (
    <div className={pageClass(columns, route?.full === true)}>
      {hasLeft ? <SkeletonColumn className={asideClass.left} /> : null}
      <main id="main" className="min-w-0">
        <Loading label="Loading page">
          <Card className={cx('space-y-4 p-4', route?.full ? 'm-4 h-64' : 'h-96')}>
            <Skeleton className="h-5 w-2/5" />
            <Skeleton className="h-3" />
            <Skeleton className="h-3 w-4/5" />
          </Card>
        </Loading>
      </main>
      {columns === 'both' ? <SkeletonColumn className={asideClass.right} /> : null}
    </div>
  )
}

function SkeletonColumn({ className }: { className: string }) {
  return (
    <div aria-hidden="true" className={className}>
      {[1, 2, 3].map((card) => (
        <Card key={card} className="h-40" />
      ))}
    </div>
  )
}
