import { queryOptions } from '@tanstack/react-query'
import { call } from '#client/lib/http/api.ts'

export const healthQuery = () =>
  queryOptions({
    queryKey: ['/api/ops/health'],
    queryFn: () => call('/api/ops/health'),
    staleTime: 0,
    gcTime: 0,
  })
