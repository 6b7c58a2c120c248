import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { reasonOf } from '#client/lib/http/api.ts'
import { InlineError } from '#client/ui/inline-error.tsx'
import { RateLimitCountdown } from '#client/ui/rate-limit-countdown.tsx'
import { Loading, SkeletonRows } from '#client/ui/skeleton.tsx'

type Result<Data> = Pick<UseQueryResult<Data>, 'data' | 'error' | 'failureReason' | 'isFetching' | 'refetch'>

/** Loading, error or content. Loaded content stays below a later error. */
export function Load<Data>({
  query,
  what,
  children,
}: {
  query: Result<Data>
  what: string
  children: (data: Data) => ReactNode
}) {
  return (
    <>
      {query.error ? (
        <div className="p-4">
          <InlineError
            title={`Could not load ${what}`}
            message={reasonOf(query.error)}
            retrying={query.isFetching}
            onRetry={() => void query.refetch()}
          />
        </div>
      ) : null}
      <RateLimitCountdown query={query} className="m-4" />
      {query.data === undefined && !query.error ? (
        <Loading label={`Loading ${what}`}>
          <div className="p-4">
            <SkeletonRows rows={5} />
          </div>
        </Loading>
      ) : null}
      {query.data === undefined ? null : children(query.data)}
    </>
  )
}
