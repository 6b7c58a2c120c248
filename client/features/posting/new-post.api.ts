import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call, NetworkError } from '#client/lib/api.ts'
import { feedsKey } from '#client/lib/query-keys.ts'
import { toast } from '#client/ui/toast-store.ts'
import type { NewPost, PostDetail } from '#shared/schemas/posts.ts'
import type { OutgoingPhoto } from './photos/photo-queue.ts'
import { type PostDraft, toNewPost } from './post-draft.ts'
import { findPostOutbox } from './post-outbox.ts'

interface SentDraft {
  dealerId: string
  /** The idempotency key of this content. */
  attempt: (content: NewPost) => string
  /** It is posted, or waits under this key. */
  discard: (keptAs: string | undefined) => void
}

/** As its form hands it over. */
interface FinishedPost {
  draft: PostDraft
  /** All of them, also those that could not go up yet. */
  photos: readonly OutgoingPhoto[]
}

/**
 * Publishes a post; the same content, sent again after a lost answer, is posted once. On success every inventory list is
 * fetched again. How it went is said, and the draft discarded, also when its form is closed by then:
 * otherwise it would be found again, and posted twice. Where the server cannot be reached the post waits in this browser and
 * leaves by itself.
 */
export function usePostInventory({ dealerId, attempt, discard }: SentDraft) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async ({ draft, photos }: FinishedPost): Promise<{ keptAs: string | undefined; post?: PostDetail }> => {
      const content = toNewPost(draft, dealerId)
      const id = attempt(content)
      try {
        if (photos.some(({ url }) => url === undefined)) throw new NetworkError(undefined)
        const post = await call('/api/inventory', { method: 'POST', body: content, idempotencyKey: id })
        return { keptAs: undefined, post }
      } catch (error) {
        const waits = error instanceof NetworkError && (await keepUnsent(id, { draft, photos }))
        if (!waits) throw error
        return { keptAs: id }
      }
    },
    onSuccess: ({ keptAs }) => {
      if (keptAs === undefined) toast({ title: 'Inventory posted successfully!' })
      else
        toast({
          title: 'Waiting for a connection',
          description: 'Your post is saved here and will be sent automatically.',
        })
      discard(keptAs)
      if (keptAs === undefined) void cache.invalidateQueries({ queryKey: feedsKey })
    },
    meta: { refused: 'Error posting inventory' },
  })
}

const keepUnsent = async (id: string, post: FinishedPost): Promise<boolean> =>
  (await findPostOutbox()?.keep({ id, ...post, order: Date.now(), state: 'waiting' })) ?? false
