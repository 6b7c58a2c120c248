import { useState } from 'react'
import { reasonOf } from '#client/lib/http/api.ts'
import { Button } from '#client/ui/button.tsx'
import { FormDialog } from '#client/ui/form-dialog.tsx'
import { Field } from '#client/ui/field.tsx'
import { Textarea } from '#client/ui/textarea.tsx'
import { toast } from '#client/ui/toast-store.ts'
import { endReasonMax } from '#shared/limits.ts'
import type { Auction } from '#shared/schemas/auctions.ts'
import { isBlank } from '#shared/visible-text.ts'
import { useEndAuction } from './auctions.api.ts'

/** The seller can end the auction only while it has no bids, or while no bid has met the reserve. */
export function EndAuction({ auction }: { auction: Auction }) {
  const [asking, setAsking] = useState(false)
  const mayEnd = auction.bidCount === 0 || auction.reserve === 'not_met'
  return (
    <div className="border-t border-line px-5 py-3 max-md:px-4">
      {mayEnd ? (
        <Button onClick={() => setAsking(true)}>End auction</Button>
      ) : (
        <p className="text-xs text-ink-2">
          {auction.reserve === 'met' ? 'The reserve is met' : 'There is a bid and no reserve'}, so you cannot end the
          auction early.
        </p>
      )}
      {asking && mayEnd ? <EndDialog auction={auction} onClose={() => setAsking(false)} /> : null}
    </div>
  )
}

function EndDialog({ auction, onClose }: { auction: Auction; onClose: () => void }) {
  const end = useEndAuction(auction.postId)
  const [reason, setReason] = useState('')
  const [error, setError] = useState<string>()
  const submit = () => {
    if (isBlank(reason)) return setError('Enter a reason. Bidders will see it')
    setError(undefined)
    end.mutate(reason.trim(), {
      onSuccess: () => {
        toast({ title: 'Auction ended' })
        onClose()
      },
      onError: (failure) => setError(reasonOf(failure)),
    })
  }
  return (
    <FormDialog
      title="End this auction?"
      description={
        auction.bidCount === 0
          ? 'It ends now, without a sale.'
          : 'It ends now, without a sale. Bidders will see your reason.'
      }
      confirmLabel="End auction"
      destructive
      busy={end.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label="Reason" required error={error}>
        <Textarea value={reason} maxLength={endReasonMax} onChange={(event) => setReason(event.target.value)} />
      </Field>
    </FormDialog>
  )
}
