import { useState } from 'react'
import type { AdminDeal } from '#shared/schemas/admin.ts'
import { Badge } from '#client/ui/badge.tsx'
import { Button } from '#client/ui/button.tsx'
import { KeyValue } from '#client/ui/card.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { Field } from '#client/ui/field.tsx'
import { capitalize, formatDateTime, formatMoney } from '#client/ui/format.ts'
import { Textarea } from '#client/ui/textarea.tsx'
import { useReviewDeal } from '../admin.api.ts'
import { AdminDealerLink } from '../admin-dealer-link.tsx'
import { reasonMax, reasonMin } from '#shared/limits.ts'

const tones = { pending: 'warning', approved: 'success', rejected: 'danger' } as const

function TitledText({ title, text }: { title: string; text: string }) {
  return (
    <div className="mb-3">
      <h3 className="mb-1 text-xs font-medium text-ink-2">{title}</h3>
      <p className="rounded-md bg-sunken p-3 wrap-anywhere whitespace-pre-line">{text}</p>
    </div>
  )
}

function Facts({ deal }: { deal: AdminDeal }) {
  return (
    <>
      <dl className="mb-3">
        <KeyValue label="Buyer">
          <AdminDealerLink id={deal.buyerId}>{deal.buyerName}</AdminDealerLink>
        </KeyValue>
        <KeyValue label="Seller">
          <AdminDealerLink id={deal.sellerId}>{deal.sellerName}</AdminDealerLink>
        </KeyValue>
        <KeyValue label="Price">
          <span className="num font-semibold">{formatMoney(deal.price)}</span>
        </KeyValue>
        {deal.buyFee === undefined ? null : (
          <KeyValue label="Buy fee, from the buyer">
            <span className="num">{formatMoney(deal.buyFee)}</span>
          </KeyValue>
        )}
        {deal.vin ? (
          <KeyValue label="VIN">
            <span className="font-mono">{deal.vin}</span>
          </KeyValue>
        ) : null}
        <KeyValue label="Submitted">{formatDateTime(deal.submittedDate)}</KeyValue>
        <KeyValue label="Deal status">{capitalize(deal.dealStatus)}</KeyValue>
        {deal.reviewedAt ? <KeyValue label="Reviewed">{formatDateTime(deal.reviewedAt)}</KeyValue> : null}
      </dl>
      {deal.reviewReason ? <TitledText title="Reason given" text={deal.reviewReason} /> : null}
      {deal.notes ? <TitledText title="Notes" text={deal.notes} /> : null}
    </>
  )
}

/** Lets an admin approve or reject a deal. The review does not change the deal's status. Both parties can read the reason. */
export function DealDialog({ deal, onClose }: { deal: AdminDeal; onClose: () => void }) {
  const review = useReviewDeal()
  const [reason, setReason] = useState('')
  const [refused, setRefused] = useState(false)
  const over = deal.dealStatus === 'completed' || deal.dealStatus === 'cancelled'
  const judge = (verdict: 'approve' | 'reject') => {
    const missing = verdict === 'reject' && reason.trim().length < reasonMin
    setRefused(missing)
    if (!missing) review.mutate({ id: deal.id, verdict, reason: reason.trim() }, { onSuccess: onClose })
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={deal.vehicleInfo || 'Deal'}
      headerEnd={
        <Badge tone={tones[deal.status]}>{deal.status === 'pending' ? 'In review' : capitalize(deal.status)}</Badge>
      }
      footer={
        <>
          <Button
            variant="danger"
            disabled={over || deal.status === 'rejected'}
            busy={review.isPending && review.variables.verdict === 'reject'}
            onClick={() => judge('reject')}
          >
            REJECT
          </Button>
          <Button
            variant="primary"
            disabled={over || deal.status === 'approved'}
            busy={review.isPending && review.variables.verdict === 'approve'}
            onClick={() => judge('approve')}
          >
            APPROVE
          </Button>
        </>
      }
    >
      <Facts deal={deal} />
      <Field
        label="Reason"
        hint={
          over
            ? 'This deal is over, so it can no longer be approved or rejected.'
            : 'Required to reject. Both parties see it, and it is kept in the audit log.'
        }
        error={refused ? 'Enter a reason for the rejection' : undefined}
      >
        <Textarea value={reason} maxLength={reasonMax} onChange={(event) => setReason(event.target.value)} />
      </Field>
    </Dialog>
  )
}
