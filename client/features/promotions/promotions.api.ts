import { queryOptions } from '@tanstack/react-query'
import { call } from '#client/lib/http/api.ts'
import { liveQuery } from '#client/lib/live/live-queries.ts'

export const runningPromotionsQuery = () =>
  queryOptions({ queryKey: ['/api/promotions'], queryFn: () => call('/api/promotions'), ...liveQuery })
