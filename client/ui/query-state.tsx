import { type ReactNode } from 'react'
import { reasonOf } from '#client/lib/http/api.ts'
import { cx } from './cx.ts'
import { InlineError } from './inline-error.tsx'
import { RateLimitCountdown } from './rate-limit-countdown.tsx'
import { Loading } from './skeleton.tsx'

interface QueryErrorProps {
  query: { error: Error | null; isFetching: boolean; refetch: () => unknown }
  failure: string
  className?: string
}

export function QueryError({ query, failure, className }: QueryErrorProps) {
  if (!query.error) return null
  const error = (
    <InlineError
      title={failure}
      message={reasonOf(query.error)}
      retrying={query.isFetching}
      onRetry={() => void query.refetch()}
    />
  )
  return className === undefined ? error : <div className={className}>{error}</div>
}

interface QueryStateProps extends QueryErrorProps {
  query: QueryErrorProps['query'] & { isPending: boolean; failureReason: Error | null }
  label: string
  children?: ReactNode
}

/** Renders the loading skeleton, or the error with a Retry button. Renders nothing once data has arrived. */
export function QueryState({ query, failure, label, className, children }: QueryStateProps) {
  if (query.error) return <QueryError {...{ query, failure }} {...(className !== undefined && { className })} />
  const state = (
    <>
      <RateLimitCountdown query={query} />
      {query.isPending ? <Loading label={label}>{children}</Loading> : null}
    </>
  )
  return className === undefined ? state : <div className={cx(className, 'empty:hidden')}>{state}</div>
}
