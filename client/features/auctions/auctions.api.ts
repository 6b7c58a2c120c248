import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '#client/lib/api.ts'
import { auctionQuery } from '#client/lib/held-auctions.ts'
import type { AuctionTerms } from '#shared/schemas/auctions.ts'

/** The seller ends it before its time, with the reason that its bidders are told. */
export function useEndAuction(postId: string) {
  const cache = useQueryClient()
  const { queryKey } = auctionQuery(postId)
  return useMutation({
    mutationFn: (reason: string) => call(`/api/inventory/${postId}/auction/end`, { method: 'POST', body: { reason } }),
    onSuccess: (auction) => cache.setQueryData(queryKey, auction),
    onError: () => cache.invalidateQueries({ queryKey }),
  })
}

/** The seller's new terms, while nobody has bid. */
export function useChangeTerms(postId: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (terms: AuctionTerms) => call(`/api/inventory/${postId}/auction`, { method: 'PATCH', body: terms }),
    onSuccess: (auction) => cache.setQueryData(auctionQuery(postId).queryKey, auction),
  })
}
