import { Ellipsis } from 'lucide-react'
import { reasonOf } from '#client/lib/api.ts'
import { IconButton } from '#client/ui/icon-button.tsx'
import { Menu, MenuChoice } from '#client/ui/menu.tsx'
import { toast } from '#client/ui/toast-store.ts'
import { type Post, type PostStatus } from '#shared/schemas/posts.ts'
import { usePatchPost } from './posts.api.ts'

const options = [
  { value: 'active', label: 'Active' },
  { value: 'sold', label: 'Sold' },
  { value: 'expired', label: 'Expired' },
] as const

/** The seller sets the post's status; every reader sees it at once (READING "Post status"). */
export function PostOwnerMenu({ post }: { post: Post }) {
  const patch = usePatchPost(post.id)
  const change = (status: PostStatus) =>
    patch.mutate(
      { status },
      {
        onError: (error) =>
          toast({ title: 'Status not changed', description: reasonOf(error), variant: 'destructive' }),
      },
    )
  return (
    <Menu
      trigger={
        <IconButton label="Change post status" size="sm" icon={<Ellipsis size={18} />} disabled={patch.isPending} />
      }
    >
      <MenuChoice label="Post status" value={post.status} onChange={change} options={options} />
    </Menu>
  )
}
