import { skipToken, useQuery } from '@tanstack/react-query'

/** Where the event `post.viewers` keeps how many dealers look at a post now; never fetched. */
export function viewersKey(postId: string) {
  return ['/api/inventory', 'viewers', postId] as const
}

/** How many dealers look at the post now; undefined until the first event. */
export function useViewers(postId: string): number | undefined {
  return useQuery<number>({ queryKey: viewersKey(postId), queryFn: skipToken }).data
}
