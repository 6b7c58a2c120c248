import { Field } from '#client/ui/field.tsx'
import { Input } from '#client/ui/input.tsx'
import { Switch } from '#client/ui/switch.tsx'
import { bidsOnceListed } from '#shared/auction-rules.ts'
import { type AuctionDraft, auctionFaults } from './auction-draft.ts'

const amount = { inputMode: 'decimal', autoComplete: 'off' } as const
const time = { type: 'datetime-local' } as const
const fields = [
  { name: 'startAmount', label: 'Starting amount', hint: 'Leave blank for 60% of the price.', control: amount },
  {
    name: 'reserveAmount',
    label: 'Reserve',
    hint: 'Hidden from bidders. Leave blank to use your price; 0 for no reserve.',
    control: amount,
  },
  { name: 'startsAt', label: 'Starts', hint: 'Leave blank to start now.', control: time },
  { name: 'endsAt', label: 'Ends', hint: 'Leave blank for 20 minutes after the start.', control: time },
] as const

interface AuctionFieldsProps {
  draft: AuctionDraft
  strict: boolean
  onChange: (change: Partial<AuctionDraft>) => void
  /** Number of vehicles in the post. Only the first one is auctioned. */
  vehicles: number
  opening?: string
  /** True if the vehicles of the post's spreadsheet are not listed yet, so there is nothing to bid on. */
  unlisted?: boolean
}

/** Callers render this only if the title or description mentions an auction. */
export function AuctionFields({
  draft,
  strict,
  onChange,
  vehicles,
  opening = 'Bidding opens on these terms.',
  unlisted = false,
}: AuctionFieldsProps) {
  const faults = strict ? auctionFaults(draft) : {}
  const ofSeveral =
    vehicles > 1 ? ' The auction sells the first vehicle in the post; the others stay for sale at their price.' : ''
  if (unlisted)
    return (
      <p role="note" className="rounded-md border border-live-line bg-live-soft p-3">
        {bidsOnceListed}.
      </p>
    )
  return (
    <fieldset className="rounded-md border border-live-line bg-live-soft p-3">
      <legend className="px-1 text-sm font-semibold text-live-ink">Live auction</legend>
      <Switch
        label="Run a live auction"
        hint={draft.on ? opening + ofSeveral : 'No bidding. Dealers can ask about this auction.'}
        checked={draft.on}
        onChange={(on) => onChange({ on })}
      />
      {draft.on ? (
        <div className="mt-3 grid grid-cols-2 gap-3 max-md:grid-cols-1">
          {fields.map(({ name, label, hint, control }) => (
            <Field key={name} label={label} optional hint={hint} error={faults[name]}>
              <Input {...control} value={draft[name]} onChange={(event) => onChange({ [name]: event.target.value })} />
            </Field>
          ))}
        </div>
      ) : null}
    </fieldset>
  )
}
