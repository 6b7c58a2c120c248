import { QueryClient } from '@tanstack/react-query'

/** Returns an empty query client that never removes entries. A timer that removes them could fire in a later test file of the process. */
export const aQueryClient = (): QueryClient =>
  new QueryClient({ defaultOptions: { queries: { gcTime: Infinity }, mutations: { gcTime: Infinity } } })
