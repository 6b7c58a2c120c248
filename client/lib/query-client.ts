import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  MutationCache,
  type Query,
  QueryCache,
  QueryClient,
} from '@tanstack/react-query'
import { ApiError } from './api.ts'
import { authStatusKey } from './query-keys.ts'
import { noteAddressRefusal } from './address-refusal.ts'
import { notePlanRefusal } from './plan-refusal.ts'
import { resetStore } from './slice.ts'

/** Waits for calls that are under way already, so it asks for nothing: theirs is the answer that others wait for, too. */
const answersOf = (queries: readonly Query[]) => Promise.allSettled(queries.map((query) => query.fetch()))

/** A change that is under way may take as long before it counts as stuck. */
const answerPatienceMs = 5_000

/** Held by every tab while it changes something. An insecure page has no locks: it knows of its own changes only. */
const changeLock = 'lanewire-change'
const locks = (): LockManager | undefined => ('locks' in navigator ? navigator.locks : undefined)

/** Lets other tabs know that something is being changed here, until what is answered is called. */
function beginChange(): () => void {
  let end = () => {}
  const ended = new Promise<void>((resolve) => (end = resolve))
  void locks()?.request(changeLock, { mode: 'shared' }, () => ended)
  return end
}

/** Waits for what other tabs are changing. */
async function othersHaveEnded(): Promise<void> {
  const signal = AbortSignal.timeout(answerPatienceMs)
  await locks()
    ?.request(changeLock, { signal }, () => undefined)
    .catch(() => undefined)
}

/**
 * Reads anew whether somebody is signed in, after a session has ended. What is being changed just now, in any tab, is waited
 * for: a new password ends this session, too, and its answer brings the next one.
 */
export async function askWhoIsThere(cache: QueryClient): Promise<void> {
  const changes = cache.getMutationCache()
  await new Promise<void>((resolve) => {
    const timer = setTimeout(done, answerPatienceMs)
    const stop = changes.subscribe(look)
    look()
    function look() {
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

/** Nothing that was fetched or begun for one dealer is left for the next. For when no screen of theirs is shown any more. */
export function forgetDealer(cache: QueryClient): void {
  resetStore()
  cache.removeQueries({ type: 'inactive' })
}

/**
 * An invalidation while the first answer is on its way would be lost: TanStack Query joins the call under way, and what it
 * brings, read before the change, counts as fresh. Here it is waited for, and asked for once more.
 */
class TruthfulQueryClient extends QueryClient {
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
      /** Title of the toast that says why it was refused, also to whoever has left the screen that asked for it. */
      refused?: string | undefined
      /** What it says where the server has no words. */
      otherwise?: string | undefined
      /** Whether who asked for it is still on the screen, and says it there. */
      isSaid?: (() => boolean) | undefined
    }
  }
}

/** Nobody waits longer than the minute in which reads are counted: what takes longer is an error that says so. */
const patienceMs = 65_000
/** So that what waits on one screen does not come back all at once. */
const patienceJitterMs = 500

const waitOf = (error: Error): number | undefined =>
  error instanceof ApiError && error.retryAt !== undefined ? Math.max(0, error.retryAt - Date.now()) : undefined

/**
 * Loaded data never goes stale by itself and nothing is retried, but for what the server asked to come later:
 * `Patience` says so meanwhile. Offline, a call fails at once and says so:
 * waiting for the network would leave a skeleton or a busy button without a word.
 * @param notifyOfRefusal shows why an act was refused, below the title that its mutation has in `meta`
 */
export function createQueryClient(
  notifyOfRefusal: (title: string, error: Error, otherwise?: string) => void,
): QueryClient {
  // A session that ended elsewhere shows itself as a 401: ask again who is there.
  const onError = (error: Error) => {
    if (error instanceof ApiError && error.status === 401) void askWhoIsThere(queryClient)
  }
  const changes = new WeakMap<object, () => void>()
  const queryClient = new TruthfulQueryClient({
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
