import { useQuery } from '@tanstack/react-query'
import Bookmark from 'lucide-react/icons/bookmark'
import { IconButton } from '#client/ui/icon-button.tsx'
import { useWatch, watchedIdsQuery } from './saved.api.ts'

export function WatchButton({ postId }: { postId: string }) {
  const watched = useQuery(watchedIdsQuery())
  const watch = useWatch()
  const on = watched.data?.includes(postId) ?? false
  return (
    <IconButton
      label={on ? 'Stop watching' : 'Watch'}
      icon={<Bookmark size={18} />}
      aria-pressed={on}
      disabled={watched.isPending}
      onClick={() => watch.mutate({ postId, on: !on })}
    />
  )
}
