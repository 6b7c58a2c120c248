import { Card } from '#client/ui/card.tsx'
import { Loading, Skeleton, SkeletonRows } from '#client/ui/skeleton.tsx'

export function FeedSkeleton({ label, cards = 3 }: { label: string; cards?: number }) {
  return (
    <Loading label={label} showLabel>
      <div className="flex flex-col gap-3">
        {Array.from({ length: cards }, (_, card) => (
          <PostSkeleton key={card} />
        ))}
      </div>
    </Loading>
  )
}

function PostSkeleton() {
  return (
    <Card className="p-4">
      <SkeletonRows rows={1} className="h-10" lead="size-10 rounded-full" />
      <Skeleton className="mt-3 h-4 w-3/4 max-md:hidden" />
      <div className="mt-3 grid gap-4 md:grid-cols-[minmax(0,3fr)_minmax(15rem,2fr)]">
        <div className="max-md:-mx-4">
          <Skeleton className="aspect-8/5 rounded-md max-md:rounded-none" />
          <div className="mt-1 grid grid-cols-4 gap-1">
            {Array.from({ length: 4 }, (_, photo) => (
              <Skeleton key={photo} className="aspect-3/2" />
            ))}
          </div>
        </div>
        <div className="space-y-3">
          <Skeleton className="h-5 w-2/5" />
          <Skeleton className="h-3" />
        </div>
      </div>
      <Skeleton className="mt-3 h-20 rounded-md" />
    </Card>
  )
}
