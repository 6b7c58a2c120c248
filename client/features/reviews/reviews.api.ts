import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '#client/lib/http/api.ts'
import { liveQuery } from '#client/lib/live/live-queries.ts'
import { dealsKey } from '#client/lib/query/query-keys.ts'
import { toast } from '#client/ui/toast-store.ts'
import type { NewReview } from '#shared/schemas/reviews.ts'

export const reviewsKey = ['/api/reviews'] as const

export function reviewsQuery(dealerId: string) {
  return queryOptions({
    queryKey: [...reviewsKey, dealerId] as const,
    queryFn: ({ signal }) => call(`/api/dealers/${dealerId}/reviews`, { signal }),
    ...liveQuery,
  })
}

/** @param about name of the other party to the deal */
export function useAddReview(dealId: string, about: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (review: NewReview) => call(`/api/deal/${dealId}/reviews`, { method: 'POST', body: review }),
    onSuccess: () => {
      toast({ title: 'Review published', description: `${about} can reply to it` })
      return Promise.all([
        cache.invalidateQueries({ queryKey: dealsKey }),
        cache.invalidateQueries({ queryKey: reviewsKey }),
      ])
    },
  })
}

export function useReply(reviewId: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (content: string) => call(`/api/reviews/${reviewId}/reply`, { method: 'POST', body: { content } }),
    onSuccess: () => cache.invalidateQueries({ queryKey: reviewsKey }),
  })
}
