import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { QueryState } from '#client/ui/query-state.tsx'
import { SkeletonRows } from '#client/ui/skeleton.tsx'

interface LoadProps<Data> {
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'failureReason' | 'isFetching' | 'isPending' | 'refetch'>
  what: string
  children: (data: Data) => ReactNode
}

/** Renders `children` once the data has loaded. If a later fetch fails, they stay visible below the error. */
export function Load<Data>({ query, what, children }: LoadProps<Data>) {
  return (
    <>
      <QueryState query={query} failure={`Could not load ${what}`} label={`Loading ${what}`} className="p-4">
        <SkeletonRows rows={5} />
      </QueryState>
      {query.data === undefined ? null : children(query.data)}
    </>
  )
}
