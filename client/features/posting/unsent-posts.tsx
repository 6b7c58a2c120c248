import { useQueryClient } from '@tanstack/react-query'
import CloudOff from 'lucide-react/icons/cloud-off'
import { useEffect, useState } from 'react'
import { useConnection } from '#client/lib/live/connection.ts'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { Banner } from '#client/ui/banner.tsx'
import { Button } from '#client/ui/button.tsx'
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx'
import { toast } from '#client/ui/toast-store.ts'
import { PostDialog } from './post-dialog.tsx'
import { findPostOutbox, openUnsentStorage, startPostOutbox, type UnsentPost, unsentSlice } from './post-outbox.ts'

/** Lists the posts waiting for a connection. Mounted on every page, because it also starts the outbox. */
export function UnsentPosts() {
  const { id: dealerId } = useCurrentDealer()
  const cache = useQueryClient()
  useEffect(() => startPostOutbox({ dealerId, cache, storage: openUnsentStorage(dealerId) }), [dealerId, cache])
  return <UnsentList />
}

export function UnsentList() {
  const posts = unsentSlice.use((state) => state.posts)
  const sending = unsentSlice.use((state) => state.sending)
  const [edited, setEdited] = useState<UnsentPost>()
  const [discarding, setDiscarding] = useState<UnsentPost>()
  const connection = useConnection()
  useEffect(() => {
    if (connection === 'live') findPostOutbox()?.workNow()
  }, [connection])
  const edit = async (post: UnsentPost) => {
    if (await findPostOutbox()?.edit(post.id)) setEdited(unsentSlice.get().posts.find(({ id }) => id === post.id))
    else
      toast({
        title: 'This post is open in another tab',
        description: 'It is being edited or sent there. Try again in a moment.',
      })
  }
  const endEdit = () => {
    findPostOutbox()?.endEdit()
    setEdited(undefined)
  }
  return (
    <>
      {posts.map((post) => (
        <UnsentLine
          key={post.id}
          post={post}
          sending={sending === post.id}
          onEdit={() => void edit(post)}
          onDiscard={() => setDiscarding(post)}
        />
      ))}
      {edited ? (
        <PostDialog key={edited.id} open unsent={edited} onOpenChange={(open) => (open ? undefined : endEdit())} />
      ) : null}
      <ConfirmDialog
        open={discarding !== undefined}
        onOpenChange={() => setDiscarding(undefined)}
        title="Discard this post?"
        description={`“${discarding?.draft.title ?? ''}” has not been posted. It will be deleted from this browser.`}
        confirmLabel="Discard"
        destructive
        onConfirm={() => {
          if (discarding) void findPostOutbox()?.discard(discarding.id)
          setDiscarding(undefined)
        }}
      />
    </>
  )
}

interface UnsentLineProps {
  post: UnsentPost
  sending: boolean
  onEdit: () => void
  onDiscard: () => void
}

function stateOf({ state, reason }: UnsentPost, sending: boolean): string {
  if (sending) return 'Posting...'
  return state === 'refused' ? `Not posted. ${reason ?? ''}` : 'Waiting for a connection'
}

function UnsentLine({ post, sending, onEdit, onDiscard }: UnsentLineProps) {
  const { title } = post.draft
  return (
    <Banner
      tone={post.state === 'refused' ? 'danger' : 'warning'}
      icon={<CloudOff size={16} className="flex-none" aria-hidden="true" />}
    >
      <span className="flex flex-wrap items-center gap-x-2">
        <span className="min-w-0">
          {stateOf(post, sending)}: “{title}”
        </span>
        <Button variant="ghost" size="sm" disabled={sending} aria-label={`Edit ${title}`} onClick={onEdit}>
          Edit
        </Button>
        <Button variant="ghost" size="sm" disabled={sending} aria-label={`Discard ${title}`} onClick={onDiscard}>
          Discard
        </Button>
      </span>
    </Banner>
  )
}
