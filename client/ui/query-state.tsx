import { type ReactNode } from 'react'
import { reasonOf } from '#client/lib/api.ts'
import { InlineError } from './inline-error.tsx'
import { Patience } from './patience.tsx'
import { Loading } from './skeleton.tsx'

interface QueryStateProps {
  query: {
    isPending: boolean
    isFetching: boolean
    error: Error | null
    failureReason: Error | null
    refetch: () => Promise<unknown>
  }
  /** What failed, as a sentence: "Deals could not be loaded". */
  failure: string
  /** Said to assistive tech while it waits: "Loading deals". */
  label: string
  /** The skeletons. */
  children: ReactNode
}

/** What stands above a query's data: nothing, its skeleton, or why it failed and Retry. */
export function QueryState({ query, failure, label, children }: QueryStateProps) {
  if (query.error)
    return (
      <InlineError
        title={failure}
        message={reasonOf(query.error)}
        retrying={query.isFetching}
        onRetry={() => void query.refetch()}
      />
    )
  return (
    <>
      <Patience query={query} />
      {query.isPending ? <Loading label={label}>{children}</Loading> : null}
    </>
  )
}
