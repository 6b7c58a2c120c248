import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from './api.ts'
import { authStatusKey } from './query-keys.ts'
import { notePlanRefusal } from './plan-refusal.ts'

/**
 * Loaded data never goes stale by itself and nothing is retried (spec A §1). Offline, a call fails at once and says so:
 * waiting for the network would leave a skeleton or a busy button without a word.
 */
export function createQueryClient(): QueryClient {
  // A session that ended elsewhere shows itself as a 401: ask again who is there.
  const onError = (error: Error) => {
    if (error instanceof ApiError && error.status === 401)
      void queryClient.invalidateQueries({ queryKey: authStatusKey })
  }
  const queryClient = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({
      onError: (error) => {
        onError(error)
        notePlanRefusal(error)
      },
    }),
    defaultOptions: {
      queries: {
        networkMode: 'always',
        staleTime: Number.POSITIVE_INFINITY,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        retry: false,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
  return queryClient
}
