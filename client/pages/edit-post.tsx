import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'wouter'
import { auctionQuery } from '#client/lib/auction/cached-auctions.ts'
import { EditDialog } from '#client/features/posting/edit-dialog.tsx'
import { editQuery } from '#client/features/posting/posting.api.ts'
import { isBound } from '#shared/auction-rules.ts'

export function EditPost() {
  const [params] = useSearchParams()
  const postId = params.get('edit') ?? ''
  const post = useQuery({ ...editQuery(postId), enabled: postId !== '' })
  const auction = useQuery({ ...auctionQuery(postId), enabled: post.data?.hasAuction === true })
  return <EditDialog bound={isBound(auction.data)} />
}
