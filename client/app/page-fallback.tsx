import { Card } from '#client/ui/card.tsx'
import { Loading, Skeleton } from '#client/ui/skeleton.tsx'

/** While a page's code arrives. */
export function PageFallback() {
  return (
    <main id="main" className="mx-auto w-full max-w-[840px] px-6 py-4 max-md:px-0">
      <Loading label="Loading page">
        <Card className="space-y-4 p-4">
          <Skeleton className="h-5 w-2/5" />
          <Skeleton className="h-3" />
          <Skeleton className="h-3 w-4/5" />
        </Card>
      </Loading>
    </main>
  )
}
