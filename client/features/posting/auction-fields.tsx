import { Field } from '#client/ui/field.tsx'
import { Input } from '#client/ui/input.tsx'
import type { AuctionDraft } from './auction-draft.ts'

interface AuctionFieldsProps {
  draft: AuctionDraft
  onChange: (change: Partial<AuctionDraft>) => void
}

/** The auction's terms, shown where title or description speaks of one. */
export function AuctionFields({ draft, onChange }: AuctionFieldsProps) {
  return (
    <fieldset className="rounded-md border border-live-line bg-live-soft p-3">
      <legend className="px-1 text-sm font-semibold text-live-ink">Live auction</legend>
      <div className="grid grid-cols-2 gap-3 max-md:grid-cols-1">
        <Field label="Starting amount" optional hint="60% of the price unless you set it">
          <Input
            inputMode="decimal"
            autoComplete="off"
            value={draft.startAmount}
            onChange={(event) => onChange({ startAmount: event.target.value })}
          />
        </Field>
        <Field label="Reserve" optional hint="Hidden. Your price unless you set it">
          <Input
            inputMode="decimal"
            autoComplete="off"
            value={draft.reserveAmount}
            onChange={(event) => onChange({ reserveAmount: event.target.value })}
          />
        </Field>
        <Field label="Starts" optional hint="Now unless you set it">
          <Input
            type="datetime-local"
            value={draft.startsAt}
            onChange={(event) => onChange({ startsAt: event.target.value })}
          />
        </Field>
        <Field label="Ends" optional hint="20 minutes after the start unless you set it">
          <Input
            type="datetime-local"
            value={draft.endsAt}
            onChange={(event) => onChange({ endsAt: event.target.value })}
          />
        </Field>
      </div>
    </fieldset>
  )
}
