import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  MutationCache,
  type Query,
  QueryCache,
  QueryClient,
  timeoutManager,
} from '@tanstack/react-query'
import { ApiError } from '../http/api.ts'
import { authStatusKey } from './query-keys.ts'
import { queryTimers } from './query-timers.ts'
import { noteAddressRefusal } from '../session/unconfirmed-email-refusal.ts'
import { notePlanRefusal } from '../session/plan-refusal.ts'
import { resetStore } from '../storage/store-slice.ts'

/** Waits for fetches in flight. `fetch()` joins such a fetch instead of sending another request. */
const settleFetches = (queries: readonly Query[]) => Promise.allSettled(queries.map((query) => query.fetch()))

/** Milliseconds to wait for a change in flight. After that, it counts as stuck. */
const answerPatienceMs = 5_000

const changeLock = 'lanewire-change'
const locks = (): LockManager | undefined => ('locks' in navigator ? navigator.locks : undefined)

/** Holds a lock, which other tabs can see, while a change is in flight. Returns a function that releases it. */
function beginChange(): () => void {
  let end = () => {}
  const ended = new Promise<void>((resolve) => (end = resolve))
  void locks()?.request(changeLock, { mode: 'shared' }, () => ended)
  return end
}

async function otherTabsSettled(): Promise<void> {
  const signal = AbortSignal.timeout(answerPatienceMs)
  await locks()
    ?.request(changeLock, { signal }, () => undefined)
    .catch(() => undefined)
}

/** Refetches the sign-in status. First waits for changes in flight, because a password change starts a new session. */
export async function recheckAuthStatus(cache: QueryClient): Promise<void> {
  const changes = cache.getMutationCache()
  await new Promise<void>((resolve) => {
    const timer = setTimeout(done, answerPatienceMs)
    const stop = changes.subscribe(checkChanges)
    checkChanges()
    function checkChanges() {
      if (cache.isMutating() === 0) done()
    }
    function done() {
      clearTimeout(timer)
      stop()
      resolve()
    }
  })
  await otherTabsSettled()
  await cache.invalidateQueries({ queryKey: authStatusKey })
}

/** Clears the dealer's data from memory. Call this once none of the dealer's screens is mounted. */
export function forgetDealer(cache: QueryClient): void {
  resetStore()
  cache.removeQueries({ type: 'inactive' })
}

/** Refetches invalidated queries even during their first fetch. TanStack Query itself joins that fetch and loses the invalidation. */
class RefetchingQueryClient extends QueryClient {
  override async invalidateQueries<Key extends readonly unknown[]>(
    filters?: InvalidateQueryFilters<Key>,
    options?: InvalidateOptions,
  ): Promise<void> {
    const early = this.getQueryCache()
      .findAll({ ...filters, fetchStatus: 'fetching' })
      .filter(({ state }) => state.data === undefined)
    const answers = settleFetches(early)
    await Promise.all([super.invalidateQueries(filters, options), answers])
    if (early.length === 0) return
    const refetchType = filters?.refetchType ?? filters?.type ?? 'active'
    await super.invalidateQueries({ predicate: (query) => early.includes(query), refetchType }, options)
  }
}

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: {
      /** Title of the toast for a failed mutation. It appears even if the dealer has left the screen. */
      refused?: string | undefined
      /** Text of the toast if the server sent no message of its own. */
      otherwise?: string | undefined
      /** Returns true if the screen is still open. It shows the error itself, so no toast is needed. */
      isShownInPlace?: (() => boolean) | undefined
      /** True if the form keeps its input when the dealer leaves the page. The dialogs about a plan or an email address then say so. */
      isInputKept?: true
    }
  }
}

/** Maximum milliseconds to wait before retrying a rate-limited read. Read limits are per minute, so a longer wait is an error. */
const patienceMs = 65_000
/** Maximum random delay in milliseconds, which keeps the queries of one screen from retrying all at once. */
const patienceJitterMs = 500

const retryWaitMs = (error: Error): number | undefined =>
  error instanceof ApiError && error.retryAt !== undefined ? Math.max(0, error.retryAt - Date.now()) : undefined

/**
 * Data never becomes stale by itself, and only rate-limited reads are retried. Offline calls fail at once, so no skeleton stays.
 * @param notifyOfRefusal shows why a mutation failed, below the title from its `meta`
 */
export function createQueryClient(
  notifyOfRefusal: (title: string, error: Error, otherwise?: string) => void,
): QueryClient {
  const onError = (error: Error) => {
    if (error instanceof ApiError && error.status === 401) void recheckAuthStatus(queryClient)
  }
  timeoutManager.setTimeoutProvider(queryTimers)
  const changes = new WeakMap<object, () => void>()
  const queryClient = new RefetchingQueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({
      onMutate: (_input, mutation) => void changes.set(mutation, beginChange()),
      onSettled: (_data, _error, _input, _before, mutation) => changes.get(mutation)?.(),
      onError: (error, _input, _before, { meta }) => {
        onError(error)
        notePlanRefusal(error, meta?.isInputKept)
        noteAddressRefusal(error, meta?.isInputKept)
        if (meta?.refused !== undefined && meta.isShownInPlace?.() !== true)
          notifyOfRefusal(meta.refused, error, meta.otherwise)
      },
    }),
    defaultOptions: {
      queries: {
        networkMode: 'always',
        staleTime: Number.POSITIVE_INFINITY,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        retry: (_failures, error) => (retryWaitMs(error) ?? Number.POSITIVE_INFINITY) <= patienceMs,
        retryDelay: (_failures, error) => (retryWaitMs(error) ?? 0) + Math.random() * patienceJitterMs,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
  return queryClient
}
