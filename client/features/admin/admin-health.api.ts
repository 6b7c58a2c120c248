import { queryOptions } from '@tanstack/react-query'
import type { SystemHealth } from '#shared/schemas/ops.ts'
import { call } from '#client/lib/api.ts'

export const healthQuery = () =>
  queryOptions({
    queryKey: ['/api/ops/health'],
    queryFn: () => call<SystemHealth>('/api/ops/health'),
    staleTime: 0,
    gcTime: 0,
  })
