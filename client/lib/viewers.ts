import { skipToken, useQuery } from '@tanstack/react-query'

/** Where the event `post.viewers` keeps how many dealers have a post's auction open now; never fetched. */
export function viewersKey(postId: string) {
  return ['/api/inventory', 'viewers', postId] as const
}

/** How many dealers have the auction open now; undefined until the first event. */
export function useViewers(postId: string): number | undefined {
  return useQuery<number>({ queryKey: viewersKey(postId), queryFn: skipToken }).data
}
