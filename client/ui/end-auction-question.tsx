import { type ReactNode, useEffect, useRef, useState } from 'react'
import { ApiError } from '#client/lib/api.ts'
import { useIsShown } from '#client/lib/use-is-shown.ts'
import type { EndsAuction } from '#shared/schemas/posts.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'

const endsAuction = (error: unknown): boolean =>
  error instanceof ApiError &&
  error.status === 409 &&
  (error.details as Partial<EndsAuction> | undefined)?.code === 'ENDS_AUCTION'

interface Question {
  answer: (ends: boolean) => void
}

interface EndAuctionQuestion {
  /**
   * Sends a change of a post. Where the server refuses it because it would end the post's auction, asks the seller, and sends it again with
   * their confirmation. Undefined: the seller said no.
   */
  sendAsking: <Answer>(
    send: (confirmation: { endAuction?: true }) => Promise<Answer>,
  ) => Promise<{ answer: Answer } | undefined>
  asking: boolean
  /** Render this dialog in the component that sends the change. */
  question: ReactNode
}

/** @param onAsk closes the panel that the question replaces */
export function useEndAuctionQuestion(onAsk?: () => void): EndAuctionQuestion {
  const [asked, setAsked] = useState<Question>()
  const last = useRef<Question>(undefined)
  const isShown = useIsShown()
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
        description="Your change ends the auction on this post now, without a sale. Nobody has bid yet. Dealers who set a maximum for the start are notified, and their maximums are not placed."
        confirmLabel="End auction"
        cancelLabel="Keep auction"
        destructive
        onConfirm={() => asked?.answer(true)}
      />
    ),
  }
}
