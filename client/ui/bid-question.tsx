import type { Bidding } from '#client/lib/auction/bidding.ts'
import { formatMoney } from '#shared/format.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'

/** Asks the dealer to confirm an amount far above the next bid, which may have a digit too many. */
export function BidQuestion({
  bidding: { asked, next, answer },
}: {
  bidding: Pick<Bidding, 'asked' | 'next' | 'answer'>
}) {
  const total = formatMoney(asked?.total ?? 0)
  const isMaximum = asked?.kind === 'max'
  return (
    <ConfirmDialog
      open={asked !== undefined}
      onOpenChange={(open) => !open && answer(false)}
      title={isMaximum ? `Maximum ${total}?` : `Bid ${total}?`}
      description={`That is ${formatMoney((asked?.total ?? 0) - next)} above the next bid.`}
      confirmLabel={isMaximum ? `Set ${total}` : `Bid ${total}`}
      onConfirm={() => answer(true)}
    />
  )
}

const unknown = "We're still confirming your bid"

export function BidNotice({ bidding: { notice, isUnknown } }: { bidding: Pick<Bidding, 'notice' | 'isUnknown'> }) {
  if (isUnknown) return <span className="font-semibold text-warning-ink">{unknown}</span>
  if (!notice) return null
  return (
    <span className={notice.bad ? 'font-semibold text-danger-ink' : 'font-semibold text-success-ink'}>
      {notice.text}
    </span>
  )
}
