import { Loading, Skeleton } from '#client/ui/skeleton.tsx'

/** Rows of people that are still to come. */
export function RowsSkeleton({ label }: { label: string }) {
  return (
    <Loading label={label}>
      {[1, 2, 3, 4].map((row) => (
        <div key={row} className="flex h-14 items-center gap-3 px-3">
          <Skeleton className="size-8 rounded-full" />
          <div className="flex-1 space-y-2">
            <Skeleton className="h-3 w-1/2" />
            <Skeleton className="h-3" />
          </div>
        </div>
      ))}
    </Loading>
  )
}
