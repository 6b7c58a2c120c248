import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'wouter'
import { reasonOf } from '#client/lib/api.ts'
import { useCurrentDealer } from '#client/lib/current-dealer.ts'
import { Dialog } from '#client/ui/dialog.tsx'
import { InlineError } from '#client/ui/inline-error.tsx'
import { Loading, Skeleton } from '#client/ui/skeleton.tsx'
import { EditForm } from './edit-form.tsx'
import { editQuery } from './posting.api.ts'

/**
 * Opens over any page whose address says `edit=<post>`; Back closes it. Only for the post's own seller. `bound`: a bid
 * stands on its auction.
 */
export function EditDialog({ bound }: { bound: boolean }) {
  const [params, setParams] = useSearchParams()
  const postId = params.get('edit') ?? ''
  const dealer = useCurrentDealer()
  const { data: post, error, refetch, isFetching } = useQuery({ ...editQuery(postId), enabled: postId !== '' })
  const close = () =>
    setParams((current) => {
      const wanted = new URLSearchParams(current)
      wanted.delete('edit')
      return wanted
    })
  if (postId === '') return null
  if (post?.dealer.id === dealer.id) return <EditForm key={post.id} post={post} bound={bound} onClose={close} />
  return (
    <Dialog open onOpenChange={close} title="Edit post">
      {error || post ? (
        <InlineError
          title="This post cannot be edited"
          message={error ? reasonOf(error) : 'Only its seller can change it.'}
          {...(error && { onRetry: () => void refetch(), retrying: isFetching })}
        />
      ) : (
        <Loading label="Loading the post">
          <Skeleton className="h-40" />
        </Loading>
      )}
    </Dialog>
  )
}
