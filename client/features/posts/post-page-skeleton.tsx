import { Card } from '#client/ui/card.tsx'
import { Loading, Skeleton, SkeletonRows } from '#client/ui/skeleton.tsx'

export function PostPageSkeleton() {
  return (
    <Loading label="Loading post...">
      <Card className="flex flex-col p-4 max-md:pt-0">
        <SkeletonRows rows={1} className="h-10 max-md:mt-3" lead="size-10 rounded-full" />
        <Skeleton className="mt-3 h-6 w-3/4" />
        <Skeleton className="mt-3 h-3" />
        <Skeleton className="mt-2 h-3 w-4/5" />
        <Skeleton className="mt-3 h-5 w-2/5" />
        <Skeleton className="mt-3 aspect-8/5 rounded-md max-md:order-first max-md:-mx-4 max-md:mt-0 max-md:rounded-none" />
        <Skeleton className="mt-3 h-20 rounded-md" />
      </Card>
    </Loading>
  )
}
