import { useQuery } from '@tanstack/react-query'
import MessageSquare from 'lucide-react/icons/message-square'
import ShieldCheck from 'lucide-react/icons/shield-check'
import TriangleAlert from 'lucide-react/icons/triangle-exclamation-point'
import { type FocusEventHandler, type ReactNode, type Ref, useEffect, useState } from 'react'
import { Link } from 'wouter'
import { ApiError, isNotThere } from '#client/lib/http/api.ts'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { StatusBadge } from '#client/ui/badge.tsx'
import { Button } from '#client/ui/button.tsx'
import { ButtonLink } from '#client/ui/button-link.tsx'
import { Card, CardBody, KeyValue } from '#client/ui/card.tsx'
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx'
import { DealerLink } from '#client/ui/dealer-link.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { formatDateTime, formatMileage, formatMoney, formatVehicle } from '#client/ui/format.ts'
import { QueryError } from '#client/ui/query-state.tsx'
import { PriceWithFee } from '#client/ui/price-with-fee.tsx'
import { Loading, SkeletonRows } from '#client/ui/skeleton.tsx'
import { nextActOf } from '#shared/deal-rules.ts'
import type { DealAct, DealDetail, NextAct } from '#shared/schemas/deals.ts'
import { stepMark, showStep, useStepFocus } from './step-focus.ts'
import { dealQuery, useActOnDeal, useSubmitForReview } from './deal.api.ts'
import { DealDocuments } from './deal-documents.tsx'
import { DealTimeline } from './deal-timeline.tsx'

interface DealViewProps {
  dealId: string
  onMessage: (dealerId: string) => void
  /** The review form, after completion. */
  renderReview: (deal: DealDetail) => ReactNode
}

/** True if the deal does not exist or is between other dealers. */
const isNotTheirs = (error: unknown): boolean =>
  isNotThere(error) || (error instanceof ApiError && error.status === 403)

export function DealView({ dealId, onMessage, renderReview }: DealViewProps) {
  const deal = useQuery(dealQuery(dealId))
  const failure = deal.error ? <QueryError query={deal} failure="The deal could not be loaded" /> : null
  if (deal.data)
    return (
      <div className="flex flex-col gap-3">
        {failure}
        <LoadedDeal deal={deal.data} onMessage={onMessage} renderReview={renderReview} />
      </div>
    )
  if (isNotTheirs(deal.error)) {
    return (
      <Card>
        <EmptyState
          level={1}
          icon={<TriangleAlert size={24} />}
          title="Deal not found"
          hint="Only the seller and the buyer can see this deal."
          action={<ButtonLink href="/deals">Your deals</ButtonLink>}
        />
      </Card>
    )
  }
  return (
    failure ?? (
      <Card>
        <CardBody>
          <Loading label="Loading the deal">
            <SkeletonRows rows={4} />
          </Loading>
        </CardBody>
      </Card>
    )
  )
}

function LoadedDeal({ deal, onMessage, renderReview }: { deal: DealDetail } & Omit<DealViewProps, 'dealId'>) {
  const me = useCurrentDealer()
  const selling = deal.seller.id === me.id
  const other = selling ? deal.buyer : deal.seller
  const { step, onFocus } = useStepFocus(deal)
  // The action from the list's link.
  useEffect(() => showStep(deal.id, window.location.hash.slice(1)), [deal.id])
  return (
    <div className="flex flex-col gap-3">
      <Card aria-labelledby="deal-title">
        <div className="flex flex-wrap items-start justify-between gap-3 px-4 pt-4">
          <div className="min-w-0">
            <h1 id="deal-title" className="text-lg font-semibold tracking-lg">
              {formatVehicle(deal) || 'Deal'}
            </h1>
            <p className="text-ink-2">
              {selling ? 'Selling to' : 'Buying from'} <DealerLink dealer={other} />
              {deal.source === 'auction' ? ', won at auction' : ''}
            </p>
          </div>
          <div className="flex items-center gap-3 md:block md:text-right">
            <p className="num text-lg font-semibold tracking-lg">{formatMoney(deal.price)}</p>
            <StatusBadge status={deal.status} />
          </div>
        </div>
        <div className="px-4 md:text-right">
          <BuyersCost deal={deal} selling={selling} />
        </div>
        <CardBody className="grid gap-x-8 pt-3 md:grid-cols-2">
          <dl>
            <KeyValue label="VIN">{deal.vin ? <span className="vin">{deal.vin}</span> : 'Not given'}</KeyValue>
            <KeyValue label="Mileage">
              <span className="num">{deal.mileage === null ? 'Not given' : formatMileage(deal.mileage)}</span>
            </KeyValue>
            <KeyValue label="Color">{deal.color ?? 'Not given'}</KeyValue>
            <KeyValue label="Location">{deal.location || 'Not given'}</KeyValue>
          </dl>
          <dl>
            <KeyValue label="Seller">
              <DealerLink dealer={deal.seller} />, {deal.seller.dealershipName}
            </KeyValue>
            <KeyValue label="Buyer">
              <DealerLink dealer={deal.buyer} />, {deal.buyer.dealershipName}
            </KeyValue>
            {deal.postId ? (
              <KeyValue label="Post">
                <Link href={`/post/${deal.postId}`} className="text-accent-ink">
                  Open the post
                </Link>
              </KeyValue>
            ) : null}
          </dl>
        </CardBody>
        <Review deal={deal} />
        <DealActs deal={deal} step={step} onFocus={onFocus} onMessage={() => onMessage(other.id)} />
      </Card>
      {deal.may.review ? <div {...stepMark(deal.id, 'review')}>{renderReview(deal)}</div> : null}
      <DealDocuments deal={deal} onFocus={onFocus} />
      <DealTimeline steps={deal.steps} />
    </div>
  )
}

/** Only the buyer pays the fee. */
function BuyersCost({ deal: { price, buyFee = 0 }, selling }: { deal: DealDetail; selling: boolean }) {
  return selling ? null : <PriceWithFee price={price} fee={{ flat: buyFee, percent: 0 }} />
}

const reviewWords = {
  pending: { title: 'In review at Lanewire', look: 'bg-warning-soft text-warning-ink' },
  approved: { title: 'Approved by Lanewire', look: 'bg-success-soft text-success-ink' },
  rejected: { title: 'Rejected by Lanewire', look: 'bg-danger-soft text-danger-ink' },
} as const

/** The network's review of the deal. It does not affect the parties. */
function Review({ deal: { review } }: { deal: DealDetail }) {
  const words = review && reviewWords[review.status]
  return (
    <div role="status">
      {review && words ? (
        <div className={`mx-4 mb-4 flex gap-2 rounded-md px-3 py-2 ${words.look}`}>
          <ShieldCheck size={16} className="mt-0.5 flex-none" aria-hidden="true" />
          <div className="min-w-0 flex-1">
            <p className="font-semibold">
              {words.title},{' '}
              <time dateTime={review.at ?? review.submittedAt}>{formatDateTime(review.at ?? review.submittedAt)}</time>
            </p>
            {review.reason ? <p className="wrap-anywhere whitespace-pre-line text-ink">{review.reason}</p> : null}
          </div>
        </div>
      ) : null}
    </div>
  )
}

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

function nextStep(deal: DealDetail): string {
  const act = nextActOf(deal)
  return act === null || act === 'answer' ? waiting[deal.status] : steps[act]
}

interface DealActsProps {
  deal: DealDetail
  /** The next step's sentence, which gets focus after an action. */
  step: Ref<HTMLParagraphElement>
  onFocus: FocusEventHandler
  onMessage: () => void
}

function DealActs({ deal, step, onFocus, onMessage }: DealActsProps) {
  const act = useActOnDeal(deal.id)
  const submit = useSubmitForReview(deal.id)
  const [cancelling, setCancelling] = useState(false)
  const send = (what: DealAct) => act.mutate(what, { onSettled: () => setCancelling(false) })
  const busyWith = act.isPending ? act.variables : undefined
  return (
    <div className="flex flex-wrap items-center gap-2 border-t border-line px-4 py-3" onFocus={onFocus}>
      <p ref={step} tabIndex={-1} className="min-w-40 flex-1 text-ink-2 max-md:basis-full">
        {nextStep(deal)}
      </p>
      {deal.may.approve ? (
        <Button variant="primary" busy={busyWith === 'approve'} onClick={() => send('approve')}>
          Approve
        </Button>
      ) : null}
      {deal.may.complete ? (
        <Button variant="primary" busy={busyWith === 'complete'} onClick={() => send('complete')}>
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
      <Button icon={<MessageSquare size={16} aria-hidden="true" />} onClick={onMessage}>
        Message
      </Button>
      {deal.may.cancel ? (
        // At the end, so that it does not move under a second press when an earlier button disappears.
        <Button variant="danger-ghost" className="ml-auto" onClick={() => setCancelling(true)}>
          Cancel deal
        </Button>
      ) : null}
      <ConfirmDialog
        open={cancelling}
        onOpenChange={setCancelling}
        title="Cancel this deal?"
        description="We'll notify the other dealer, and the vehicle goes back on sale. This cannot be undone."
        confirmLabel="Cancel deal"
        cancelLabel="Keep it"
        destructive
        busy={busyWith === 'cancel'}
        onConfirm={() => send('cancel')}
      />
    </div>
  )
}
