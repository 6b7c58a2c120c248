import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from './api.ts'

/** The key of the check that decides which routes exist (spec B §2). */
export const authStatusKey = ['/api/auth/status'] as const

/** Loaded data never goes stale by itself and nothing is retried (spec A §1). */
export function createQueryClient(): QueryClient {
  // A session that ended elsewhere shows itself as a 401: ask again who is there.
  const onError = (error: Error) => {
    if (error instanceof ApiError && error.status === 401)
      void queryClient.invalidateQueries({ queryKey: authStatusKey })
  }
  const queryClient = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: Number.POSITIVE_INFINITY,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        retry: false,
      },
      mutations: { retry: false },
    },
  })
  return queryClient
}
