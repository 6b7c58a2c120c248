import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  MutationCache,
  type Query,
  QueryCache,
  QueryClient,
} from '@tanstack/react-query'
import { ApiError } from '../http/api.ts'
import { authStatusKey } from './query-keys.ts'
import { noteAddressRefusal } from '../session/unconfirmed-email-refusal.ts'
import { notePlanRefusal } from '../session/plan-refusal.ts'
import { resetStore } from '../storage/store-slice.ts'

/** Waits for fetches in flight. `fetch()` joins them and sends no request of its own. */
const answersOf = (queries: readonly Query[]) => Promise.allSettled(queries.map((query) => query.fetch()))

/** How long to wait for a change in flight before it counts as stuck. */
const answerPatienceMs = 5_000

const changeLock = 'lanewire-change'
const locks = (): LockManager | undefined => ('locks' in navigator ? navigator.locks : undefined)

/** Tells other tabs that a change is in flight, until the returned function is called. */
function beginChange(): () => void {
  let end = () => {}
  const ended = new Promise<void>((resolve) => (end = resolve))
  void locks()?.request(changeLock, { mode: 'shared' }, () => ended)
  return end
}

async function othersHaveEnded(): Promise<void> {
  const signal = AbortSignal.timeout(answerPatienceMs)
  await locks()
    ?.request(changeLock, { signal }, () => undefined)
    .catch(() => undefined)
}

/**
 * Fetches the authentication status after a session has ended. First waits for changes in flight: a new password ends this session
 * and starts another.
 */
export async function askWhoIsThere(cache: QueryClient): Promise<void> {
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
  await othersHaveEnded()
  await cache.invalidateQueries({ queryKey: authStatusKey })
}

/** Clears everything fetched or started for this dealer. Call it when none of their screens is shown anymore. */
export function forgetDealer(cache: QueryClient): void {
  resetStore()
  cache.removeQueries({ type: 'inactive' })
}

/** TanStack Query joins a first fetch in flight, which would lose an invalidation. This client waits and fetches again. */
class RefetchingQueryClient extends QueryClient {
  override async invalidateQueries<Key extends readonly unknown[]>(
    filters?: InvalidateQueryFilters<Key>,
    options?: InvalidateOptions,
  ): Promise<void> {
    const early = this.getQueryCache()
      .findAll({ ...filters, fetchStatus: 'fetching' })
      .filter(({ state }) => state.data === undefined)
    const answers = answersOf(early)
    await Promise.all([super.invalidateQueries(filters, options), answers])
    if (early.length === 0) return
    const refetchType = filters?.refetchType ?? filters?.type ?? 'active'
    await super.invalidateQueries({ predicate: (query) => early.includes(query), refetchType }, options)
  }
}

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: {
      /** Title of the toast for a refusal. It appears even if the user has left the screen. */
      refused?: string | undefined
      /** The toast's text where the server sent none. */
      otherwise?: string | undefined
      /** True if the screen is still open and shows the refusal itself. */
      isSaid?: (() => boolean) | undefined
    }
  }
}

/** Maximum wait of a rate-limited call. Reads are counted per minute, so a longer wait is an error. */
const patienceMs = 65_000
/** So that waiting queries on one screen do not all retry at once. */
const patienceJitterMs = 500

const waitOf = (error: Error): number | undefined =>
  error instanceof ApiError && error.retryAt !== undefined ? Math.max(0, error.retryAt - Date.now()) : undefined

/**
 * Data never goes stale by itself, and only rate-limited calls are retried. Offline calls fail at once instead of
 * leaving a skeleton.
 * @param notifyOfRefusal shows why a mutation was refused, below the title in its `meta`
 */
export function createQueryClient(
  notifyOfRefusal: (title: string, error: Error, otherwise?: string) => void,
): QueryClient {
  const onError = (error: Error) => {
    if (error instanceof ApiError && error.status === 401) void askWhoIsThere(queryClient)
  }
  const changes = new WeakMap<object, () => void>()
  const queryClient = new RefetchingQueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({
      onMutate: (_input, mutation) => void changes.set(mutation, beginChange()),
      onSettled: (_data, _error, _input, _before, mutation) => changes.get(mutation)?.(),
      onError: (error, _input, _before, { meta }) => {
        onError(error)
        notePlanRefusal(error)
        noteAddressRefusal(error)
        if (meta?.refused !== undefined && meta.isSaid?.() !== true)
          notifyOfRefusal(meta.refused, error, meta.otherwise)
      },
    }),
    defaultOptions: {
      queries: {
        networkMode: 'always',
        staleTime: Number.POSITIVE_INFINITY,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        retry: (_failures, error) => (waitOf(error) ?? Number.POSITIVE_INFINITY) <= patienceMs,
        retryDelay: (_failures, error) => (waitOf(error) ?? 0) + Math.random() * patienceJitterMs,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
  return queryClient
}
