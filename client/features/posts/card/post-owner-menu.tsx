import CircleCheck from 'lucide-react/icons/circle-check'
import CircleDollarSign from 'lucide-react/icons/circle-dollar-sign'
import Ellipsis from 'lucide-react/icons/ellipsis'
import Hourglass from 'lucide-react/icons/hourglass'
import Pencil from 'lucide-react/icons/pencil'
import RotateCcw from 'lucide-react/icons/rotate-ccw'
import Trash2 from 'lucide-react/icons/trash'
import { useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx'
import { IconButton } from '#client/ui/icon-button.tsx'
import { Menu, MenuItem, MenuLink, MenuSeparator } from '#client/ui/menu.tsx'
import type { Post } from '#shared/schemas/posts.ts'
import { useDeletePost, usePatchPost, useRelistPost } from '../post-edits.api.ts'

export function PostOwnerMenu({ post }: { post: Post }) {
  const [deleting, setDeleting] = useState(false)
  const patch = usePatchPost(post.id)
  const relist = useRelistPost(post.id)
  const onDeleted = useLeavePost(post.id)
  const remove = useDeletePost(post.id, { onDeleted, onAsk: () => setDeleting(false) })
  const editAddress = useEditAddress(post.id)
  const isActive = post.status === 'active'
  return (
    <>
      <Menu
        trigger={
          <IconButton
            label="Manage post"
            size="sm"
            icon={<Ellipsis size={18} />}
            disabled={patch.isPending || relist.isPending}
          />
        }
      >
        <MenuLink icon={<Pencil size={16} />} href={editAddress}>
          Edit post
        </MenuLink>
        {isActive ? (
          <>
            <MenuItem icon={<CircleDollarSign size={16} />} onSelect={() => patch.mutate({ status: 'sold' })}>
              Mark as sold
            </MenuItem>
            <MenuItem icon={<Hourglass size={16} />} onSelect={() => patch.mutate({ status: 'expired' })}>
              Expire now
            </MenuItem>
          </>
        ) : (
          <>
            <MenuItem icon={<CircleCheck size={16} />} onSelect={() => patch.mutate({ status: 'active' })}>
              Mark as available
            </MenuItem>
            <MenuItem icon={<RotateCcw size={16} />} onSelect={() => relist.mutate()}>
              Relist for 30 days
            </MenuItem>
          </>
        )}
        <MenuSeparator />
        <MenuItem icon={<Trash2 size={16} />} destructive onSelect={() => setDeleting(true)}>
          Delete post
        </MenuItem>
      </Menu>
      <ConfirmDialog
        open={deleting}
        onOpenChange={setDeleting}
        title="Delete this post?"
        description="The post and its comments disappear from every feed right away. Its deals are kept. This cannot be undone."
        confirmLabel="Delete post"
        destructive
        busy={remove.isPending}
        onConfirm={() => remove.mutate(undefined, { onSettled: () => setDeleting(false) })}
      />
      {patch.question}
      {remove.question}
    </>
  )
}

/** Returns a URL that opens the editor over the current page. The URL contains the post's id, so that Back closes the editor. */
function useEditAddress(postId: string): string {
  const [path] = useLocation()
  const [params] = useSearchParams()
  const wanted = new URLSearchParams(params)
  wanted.set('edit', postId)
  return `${path}?${wanted.toString()}`
}

function useLeavePost(postId: string): () => void {
  const [, navigate] = useLocation()
  return () => {
    if (window.location.pathname === `/post/${postId}`) navigate('/')
  }
}
