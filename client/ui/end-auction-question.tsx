import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { ApiError, call } from '#client/lib/http/api.ts'
import { useIsMounted } from '#client/lib/screen/use-is-mounted.ts'
import type { EndsAuction, PostDetail, PostPatch } from '#shared/schemas/posts.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'

const endsAuction = (error: unknown): boolean =>
  error instanceof ApiError &&
  error.status === 409 &&
  (error.details as Partial<EndsAuction> | undefined)?.code === 'ENDS_AUCTION'

interface Question {
  answer: (ends: boolean) => void
}

interface EndAuctionQuestion {
  /** Sends a change of a post. Asks the seller first if the change would end its auction. Undefined if the seller declines. */
  sendAsking: <Answer>(
    send: (confirmation: { endAuction?: true }) => Promise<Answer>,
  ) => Promise<{ answer: Answer } | undefined>
  asking: boolean
  question: ReactNode
}

/**
 * Changes a post. The caller must render `question`, in which the seller confirms ending the auction.
 * @param refused title of the toast if the server rejects the change
 */
export function usePostPatch(postId: string, refused: string, onSaved: (post: PostDetail) => unknown) {
  const { sendAsking, asking, question } = useEndAuctionQuestion()
  const { mutate, isPending } = useMutation({
    mutationFn: (patch: PostPatch) =>
      sendAsking((confirmation) =>
        call(`/api/inventory/${postId}`, { method: 'PATCH', body: { ...patch, ...confirmation } }),
      ),
    onSuccess: (sent) => sent && onSaved(sent.answer),
    meta: { refused },
  })
  return { mutate, isPending, asking, question }
}

/** @param onAsk closes the panel that the question replaces */
export function useEndAuctionQuestion(onAsk?: () => void): EndAuctionQuestion {
  const [asked, setAsked] = useState<Question>()
  const last = useRef<Question>(undefined)
  const isShown = useIsMounted()
  useEffect(() => () => last.current?.answer(false), [])
  const ask = () =>
    new Promise<boolean>((resolve) => {
      last.current = {
        answer: (ends) => {
          setAsked(undefined)
          resolve(ends)
        },
      }
      setAsked(last.current)
      onAsk?.()
    })
  return {
    sendAsking: async (send) => {
      try {
        return { answer: await send({}) }
      } catch (error) {
        if (!endsAuction(error) || !isShown()) throw error
        return (await ask()) ? { answer: await send({ endAuction: true }) } : undefined
      }
    },
    asking: asked !== undefined,
    question: (
      <ConfirmDialog
        open={asked !== undefined}
        onOpenChange={(open) => !open && asked?.answer(false)}
        title="End the auction?"
        description="This change ends the post's auction now, without a sale. No one has bid yet. Dealers who preset a maximum are notified, and their maximums are not placed."
        confirmLabel="End auction"
        cancelLabel="Keep auction"
        destructive
        onConfirm={() => asked?.answer(true)}
      />
    ),
  }
}
