import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call, NetworkError } from '#client/lib/http/api.ts'
import { refetchOwnPosts } from '#client/lib/post/cached-posts.ts'
import { plural } from '#client/ui/format.ts'
import { toast, type ToastInput } from '#client/ui/toast-store.ts'
import type { NewPost, PostDetail } from '#shared/schemas/posts.ts'
import type { OutgoingPhoto } from './photos/photo-queue.ts'
import { type PostDraft, toNewPost } from './post-draft.ts'
import { findPostOutbox } from './post-outbox.ts'

interface SentDraft {
  dealerId: string
  /** Returns the idempotency key for this content. */
  idempotencyKeyFor: (content: NewPost) => string
  /** Called once the post is published or stored in the outbox. `outboxId` is the post's key in the outbox. */
  onSent: (posted: PostDraft, outboxId: string | undefined) => void
}

interface FinishedPost {
  draft: PostDraft
  /** All photos, including those not uploaded yet. */
  photos: readonly OutgoingPhoto[]
  /** The number of vehicles that the post leaves out. */
  left: number
}

/** Publishes a post, or stores it to send later. Calls `onSent` even after the form closes, so that nothing can be posted twice. */
export function usePostInventory({ dealerId, idempotencyKeyFor, onSent }: SentDraft) {
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
    onSuccess: ({ outboxId }, { draft, left }) => {
      toast(sentToast(outboxId !== undefined, left))
      onSent(draft, outboxId)
      if (outboxId === undefined) void refetchOwnPosts(cache)
    },
    meta: { refused: 'Error posting inventory', isInputKept: true },
  })
}

const waitingText = 'Your post is saved on this device. It will be posted automatically when the connection is back.'

const sentToast = (isWaiting: boolean, left: number): ToastInput => {
  const title = isWaiting ? 'Waiting for a connection' : 'Inventory posted successfully!'
  const leftText = `${plural(left, 'vehicle')} left out of the post ${left === 1 ? 'is' : 'are'} kept in your draft.`
  const texts = [...(isWaiting ? [waitingText] : []), ...(left > 0 ? [leftText] : [])]
  return texts.length > 0 ? { title, description: texts.join(' ') } : { title }
}

const keepUnsent = async (id: string, post: Pick<FinishedPost, 'draft' | 'photos'>): Promise<boolean> =>
  (await findPostOutbox()?.keep({ id, ...post, order: Date.now(), state: 'waiting' })) ?? false
