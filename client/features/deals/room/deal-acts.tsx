import MessageSquare from 'lucide-react/icons/message-square'
import ShieldCheck from 'lucide-react/icons/shield-check'
import { type FocusEventHandler, type Ref, useState } from 'react'
import { Button } from '#client/ui/button.tsx'
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx'
import { formatDateTime } from '#client/ui/format.ts'
import { nextActOf } from '#shared/deal-rules.ts'
import type { DealAct, DealDetail, NextAct } from '#shared/schemas/deals.ts'
import { useActOnDeal, useSubmitForReview } from '../deal.api.ts'
import { CompleteDealDialog } from '../complete-deal-dialog.tsx'
import { waitingTexts } from '../next-act-texts.ts'
import { waitingSince } from './path-steps.ts'

const steps: Record<Exclude<NextAct, 'answer'>, string> = {
  approve: 'Approve to generate the paperwork.',
  complete: 'Complete the deal once you have the vehicle.',
  mileage: 'Enter the mileage below so the mileage statement can be signed.',
  sign: 'Sign the documents below.',
  review: 'Leave a review.',
}

const waiting: Record<DealDetail['status'], string> = {
  pending: "Waiting for the seller's approval.",
  approved: 'Waiting for the other side.',
  completed: 'This deal is complete.',
  cancelled: 'This deal was cancelled.',
}

/** Describes the viewer's next action. If there is none, describes the other party's next action or the deal's status. */
function nextStep(deal: DealDetail, otherName: string): string {
  const act = nextActOf(deal)
  if (act !== null && act !== 'answer') return steps[act]
  return deal.waitsFor === null ? waiting[deal.status] : `${waitingTexts[deal.waitsFor](otherName)}.`
}

const alsoWaiting = (text: string) => `Also ${text.charAt(0).toLowerCase()}${text.slice(1)}.`

/** Shows since when the deal has been waiting for the current step. Deals have no deadlines. */
function WaitingNote({ deal, otherName }: { deal: DealDetail; otherName: string }) {
  const since = waitingSince(deal)
  const isOthers = nextActOf(deal) !== null && deal.waitsFor !== null
  if (since === null && !isOthers) return null
  return (
    <p className="text-xs text-ink-2">
      {isOthers && deal.waitsFor ? `${alsoWaiting(waitingTexts[deal.waitsFor](otherName))} ` : null}
      {since === null ? null : (
        <>
          No deadline. Open since <time dateTime={since}>{formatDateTime(since)}</time>.
        </>
      )}
    </p>
  )
}

interface DealActsProps {
  deal: DealDetail
  otherName: string
  /** The paragraph that describes the next step. It receives focus after an action. */
  step: Ref<HTMLParagraphElement>
  onFocus: FocusEventHandler
  /** Undefined if the viewer is not a party to the deal, or cannot message the other party. */
  onMessage: (() => void) | undefined
}

export function DealActs({ deal, otherName, step, onFocus, onMessage }: DealActsProps) {
  const act = useActOnDeal(deal.id)
  const submit = useSubmitForReview(deal.id)
  const [asking, setAsking] = useState<'complete' | 'cancel'>()
  const stopAsking = () => setAsking(undefined)
  // Close the question first. Its button gets the focus back, and if the act removes the button, the next step gets it.
  const send = (what: DealAct) => {
    stopAsking()
    act.mutate(what)
  }
  const busyWith = act.isPending ? act.variables : undefined
  return (
    <div className="flex flex-wrap items-center gap-2 border-t border-line px-4 py-3" onFocus={onFocus}>
      <div className="min-w-40 flex-1 basis-full">
        <p ref={step} tabIndex={-1} className="font-medium">
          {nextStep(deal, otherName)}
        </p>
        <WaitingNote deal={deal} otherName={otherName} />
      </div>
      {deal.may.approve ? (
        <Button variant="primary" busy={busyWith === 'approve'} onClick={() => send('approve')}>
          Approve
        </Button>
      ) : null}
      {deal.may.complete ? (
        <Button variant="primary" busy={busyWith === 'complete'} onClick={() => setAsking('complete')}>
          Complete
        </Button>
      ) : null}
      {deal.may.submit ? (
        <Button
          icon={<ShieldCheck size={16} aria-hidden="true" />}
          busy={submit.isPending}
          onClick={() => submit.mutate()}
        >
          Submit for review
        </Button>
      ) : null}
      {onMessage ? (
        <Button icon={<MessageSquare size={16} aria-hidden="true" />} onClick={onMessage}>
          Message
        </Button>
      ) : null}
      {deal.may.cancel ? (
        // This button comes last, so that it does not move under a second click when an earlier button disappears.
        <Button
          variant="danger-ghost"
          className="ml-auto"
          busy={busyWith === 'cancel'}
          onClick={() => setAsking('cancel')}
        >
          Cancel deal
        </Button>
      ) : null}
      <CompleteDealDialog
        deal={deal}
        open={asking === 'complete'}
        onOpenChange={stopAsking}
        onConfirm={() => send('complete')}
      />
      <ConfirmDialog
        open={asking === 'cancel'}
        onOpenChange={stopAsking}
        title="Cancel this deal?"
        description="We'll notify the other dealer, and the vehicle goes back on sale. This cannot be undone."
        confirmLabel="Cancel deal"
        cancelLabel="Keep deal"
        destructive
        onConfirm={() => send('cancel')}
      />
    </div>
  )
}
