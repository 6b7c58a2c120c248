import { useState } from 'react'
import { Link } from 'wouter'
import { StatusBadge } from '#client/ui/badge.tsx'
import { Button, buttonClass } from '#client/ui/button.tsx'
import { cx } from '#client/ui/cx.ts'
import { DotSeparator } from '#client/ui/dot-separator.tsx'
import { formatMoney, formatVehicle } from '#client/ui/format.ts'
import { RelativeTime } from '#client/ui/relative-time.tsx'
import { Thumbnail } from '#client/ui/thumbnail.tsx'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import type { Deal, DealPipelineItem, NextAct } from '#shared/schemas/deals.ts'
import { showStep } from './step-focus.ts'
import { useActOnDeal } from './deal.api.ts'
import { CompleteDealDialog } from './complete-deal-dialog.tsx'
import { waitingTexts } from './next-act-texts.ts'
import { addressOfDeal, DealLink, DealParty } from './deal-row.tsx'
import { OfferCard } from './offer-card.tsx'
import { dealAreas, rowClass } from './row-layout.ts'

interface PipelineRowProps {
  item: DealPipelineItem
  selectedId: string | undefined
  /** Query string of the list of deals. Links to deals keep it. */
  search: string
}

export function PipelineRow({ item, selectedId, search }: PipelineRowProps) {
  const { deal, offer, photo, next, waitsFor } = item
  if (offer) return <OfferCard offer={offer} photo={photo} />
  if (!deal) return null
  return (
    <DealEntry
      deal={deal}
      photo={photo}
      next={next}
      waitsFor={waitsFor}
      selected={deal.id === selectedId}
      search={search}
    />
  )
}

interface DealEntryProps extends Pick<DealPipelineItem, 'photo' | 'next' | 'waitsFor'> {
  deal: Deal
  selected: boolean
  search: string
}

function DealEntry({ deal, photo, next, waitsFor, selected, search }: DealEntryProps) {
  const me = useCurrentDealer()
  const selling = deal.sellerId === me.id
  const other = selling ? deal.buyer : deal.seller
  return (
    <li
      aria-current={selected ? 'true' : undefined}
      className={cx(
        rowClass,
        dealAreas,
        selected ? 'bg-accent-soft shadow-[inset_2px_0_0_var(--lw-accent)]' : 'hover:bg-hover',
      )}
    >
      <span className="[grid-area:photo]">
        <Thumbnail src={photo} />
      </span>
      <span className="min-w-0 truncate [grid-area:name]">
        <DealLink deal={deal} className="font-semibold" search={search} />
      </span>
      <span className="num text-right text-md font-semibold [grid-area:price]">{formatMoney(deal.price)}</span>
      <span className="min-w-0 truncate text-xs text-ink-2 [grid-area:party]">
        <DealParty deal={deal} selling={selling} />
        <DotSeparator />
        <RelativeTime iso={deal.updatedAt} className="num" />
      </span>
      <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 text-xs text-ink-2 [grid-area:state] @3xl/pipeline:flex-col @3xl/pipeline:items-start">
        {/* A completed deal needs no badge, because the Completed tab already shows its status. */}
        {deal.status === 'completed' ? null : <StatusBadge status={deal.status} />}
        {turnText(deal, other.name, { next, waitsFor })}
      </span>
      <span className="relative flex justify-end [grid-area:acts]">
        {next ? <NextActButton deal={deal} next={next} search={search} /> : null}
      </span>
    </li>
  )
}

function turnText(
  { status }: Deal,
  otherName: string,
  { next, waitsFor }: Pick<DealPipelineItem, 'next' | 'waitsFor'>,
) {
  if (next) return ownTexts[next]
  if (waitsFor) return waitingTexts[waitsFor](otherName)
  // If nobody can act on an open deal, a party's account is suspended or deleted.
  return status === 'pending' || status === 'approved' ? `On hold: ${otherName} cannot use Lanewire right now` : null
}

const ownTexts: Record<NextAct, string> = {
  answer: 'Answer the offer',
  approve: 'Approve to generate the paperwork',
  mileage: 'Enter the mileage',
  sign: 'Sign the documents',
  complete: 'Complete once you have the vehicle',
  review: 'Leave a review',
}

/** These actions need typed input, so their button links to the input on the deal's page. */
const leads: Partial<Record<NextAct, string>> = { mileage: 'Enter mileage', sign: 'Sign', review: 'Review' }

function NextActButton({ deal, next, search }: { deal: Deal; next: NextAct; search: string }) {
  const name = formatVehicle(deal) || 'deal'
  if (next === 'approve') return <ApproveButton dealId={deal.id} name={name} />
  if (next === 'complete') return <CompleteButton deal={deal} name={name} />
  return (
    <Link
      href={`${addressOfDeal(deal.id, search)}#${next}`}
      aria-label={`${leads[next]}: ${name}`}
      onClick={() => showStep(deal.id, next)}
      className={buttonClass({ size: 'sm' })}
    >
      {leads[next]}
    </Link>
  )
}

function ApproveButton({ dealId, name }: { dealId: string; name: string }) {
  const act = useActOnDeal(dealId)
  return (
    <Button size="sm" aria-label={`Approve: ${name}`} busy={act.isPending} onClick={() => act.mutate('approve')}>
      Approve
    </Button>
  )
}

function CompleteButton({ deal, name }: { deal: Deal; name: string }) {
  const act = useActOnDeal(deal.id)
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Button size="sm" aria-label={`Complete: ${name}`} busy={act.isPending} onClick={() => setAsking(true)}>
        Complete
      </Button>
      <CompleteDealDialog
        deal={deal}
        open={asking}
        onOpenChange={setAsking}
        busy={act.isPending}
        onConfirm={() => act.mutate('complete', { onSettled: () => setAsking(false) })}
      />
    </>
  )
}
