import { skipToken, useQuery } from '@tanstack/react-query'

/** Key for the count in `post.viewers`: the number of dealers who have the post's auction open. Never fetched. */
export function viewersKey(postId: string) {
  return ['/api/inventory', 'viewers', postId] as const
}

export function useViewers(postId: string): number | undefined {
  return useQuery<number>({ queryKey: viewersKey(postId), queryFn: skipToken }).data
}
