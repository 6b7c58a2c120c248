import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call, NetworkError } from '#client/lib/http/api.ts'
import { refetchOwnPosts } from '#client/lib/post/cached-posts.ts'
import { toast } from '#client/ui/toast-store.ts'
import type { NewPost, PostDetail } from '#shared/schemas/posts.ts'
import type { OutgoingPhoto } from './photos/photo-queue.ts'
import { type PostDraft, toNewPost } from './post-draft.ts'
import { findPostOutbox } from './post-outbox.ts'

interface SentDraft {
  dealerId: string
  /** Returns the idempotency key for this content. */
  idempotencyKeyFor: (content: NewPost) => string
  /** Discards the draft once the post is published or stored in the outbox. `outboxId` is the post's key in the outbox. */
  discard: (outboxId: string | undefined) => void
}

interface FinishedPost {
  draft: PostDraft
  /** All photos, including those not uploaded yet. */
  photos: readonly OutgoingPhoto[]
}

/** Publishes a post, or stores it to send later. Discards the draft even after the form closes, so that it cannot be posted twice. */
export function usePostInventory({ dealerId, idempotencyKeyFor, discard }: SentDraft) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async ({
      draft,
      photos,
    }: FinishedPost): Promise<{ outboxId: string | undefined; post?: PostDetail }> => {
      const content = toNewPost(draft, dealerId)
      const id = idempotencyKeyFor(content)
      try {
        if (photos.some(({ url }) => url === undefined)) throw new NetworkError(undefined)
        const post = await call('/api/inventory', { method: 'POST', body: content, idempotencyKey: id })
        return { outboxId: undefined, post }
      } catch (error) {
        const waits = error instanceof NetworkError && (await keepUnsent(id, { draft, photos }))
        if (!waits) throw error
        return { outboxId: id }
      }
    },
    onSuccess: ({ outboxId }) => {
      if (outboxId === undefined) toast({ title: 'Inventory posted successfully!' })
      else
        toast({
          title: 'Waiting for a connection',
          description:
            'Your post is saved on this device. It will be posted automatically when the connection is back.',
        })
      discard(outboxId)
      if (outboxId === undefined) void refetchOwnPosts(cache)
    },
    meta: { refused: 'Error posting inventory', isInputKept: true },
  })
}

const keepUnsent = async (id: string, post: FinishedPost): Promise<boolean> =>
  (await findPostOutbox()?.keep({ id, ...post, order: Date.now(), state: 'waiting' })) ?? false
