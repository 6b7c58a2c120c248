import { type ReactNode } from 'react'
import { reasonOf } from '#client/lib/http/api.ts'
import { InlineError } from './inline-error.tsx'
import { RateLimitCountdown } from './rate-limit-countdown.tsx'
import { Loading } from './skeleton.tsx'

interface QueryStateProps {
  query: {
    isPending: boolean
    isFetching: boolean
    error: Error | null
    failureReason: Error | null
    refetch: () => Promise<unknown>
  }
  failure: string
  label: string
  children: ReactNode
}

/** Renders the loading skeleton, or the error with a Retry button. Renders nothing once data has arrived. */
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
      <RateLimitCountdown query={query} />
      {query.isPending ? <Loading label={label}>{children}</Loading> : null}
    </>
  )
}
