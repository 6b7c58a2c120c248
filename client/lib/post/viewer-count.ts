import { skipToken, useQuery } from '@tanstack/react-query'

/** Query key of the number of dealers who have the post's auction on screen. Set by events, never fetched. */
export function viewersKey(postId: string) {
  return ['/api/inventory', 'viewers', postId] as const
}

export function useViewers(postId: string): number | undefined {
  return useQuery<number>({ queryKey: viewersKey(postId), queryFn: skipToken }).data
}
