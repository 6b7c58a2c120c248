import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '#client/lib/http/api.ts'
import { dealerIn } from '#client/lib/session/current-dealer.ts'
import { auctionQuery, keepAuction } from '#client/lib/auction/cached-auctions.ts'
import { useIsMounted } from '#client/lib/screen/use-is-mounted.ts'
import type { AuctionTerms } from '#shared/schemas/auctions.ts'

export function useEndAuction(postId: string) {
  const cache = useQueryClient()
  const { queryKey } = auctionQuery(postId)
  const isShownInPlace = useIsMounted()
  return useMutation({
    mutationFn: (reason: string) => call(`/api/inventory/${postId}/auction/end`, { method: 'POST', body: { reason } }),
    onMutate: () => dealerIn(cache),
    onSuccess: (auction, _input, dealerAtStart) => keepAuction(cache, auction, dealerAtStart),
    onError: () => cache.invalidateQueries({ queryKey }),
    meta: { refused: 'Auction not ended', isShownInPlace },
  })
}

export function useChangeTerms(postId: string) {
  const cache = useQueryClient()
  const isShownInPlace = useIsMounted()
  return useMutation({
    mutationFn: (terms: AuctionTerms) => call(`/api/inventory/${postId}/auction`, { method: 'PATCH', body: terms }),
    onMutate: () => dealerIn(cache),
    onSuccess: (auction, _input, dealerAtStart) => keepAuction(cache, auction, dealerAtStart),
    meta: { refused: 'Auction not changed', isShownInPlace },
  })
}
