import { reasonOf } from '#client/lib/http/api.ts'
import { InlineError } from '#client/ui/inline-error.tsx'

interface Failing {
  error: Error | null
  isFetching: boolean
  refetch: () => Promise<unknown>
}

/** Shows the first error. Its Retry button refetches every query that failed. */
export function PlanLoadError({ loads }: { loads: readonly Failing[] }) {
  const failed = loads.filter(({ error }) => error !== null)
  const [first] = failed
  if (!first) return null
  return (
    <div className="max-md:px-4">
      <InlineError
        title="Your plan could not be loaded"
        message={reasonOf(first.error)}
        retrying={failed.some(({ isFetching }) => isFetching)}
        onRetry={() => failed.forEach(({ refetch }) => void refetch())}
      />
    </div>
  )
}
