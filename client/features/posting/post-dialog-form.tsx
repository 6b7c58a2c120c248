import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useCurrentDealer } from '#client/lib/current-dealer.ts'
import { Button } from '#client/ui/button.tsx'
import { Field } from '#client/ui/field.tsx'
import { Input } from '#client/ui/input.tsx'
import { Select } from '#client/ui/select.tsx'
import { Textarea } from '#client/ui/textarea.tsx'
import { auctionFacilitators } from '#shared/facilitators.ts'
import { descriptionMax, titleMax, vehiclesPerPost } from '#shared/limits.ts'
import { speaksOfAuction } from '#shared/auction-rules.ts'
import { AuctionFields } from './auction-fields.tsx'
import { faultToasts, placeOf } from './post-draft.ts'
import type { PostDraftState } from './use-post-draft.ts'
import { emptyVehicle, isComplete } from './vehicle-draft.ts'
import { VehicleCard } from './vehicle-card.tsx'

const facilitatorOptions = auctionFacilitators.map((name) => ({ value: name, label: name }))

/** The left side of the dialog: what all tabs share, then the tab's own part. */
export function PostDialogForm({ state }: { state: PostDraftState }) {
  const { draft, change, fault } = state
  const errorOf = (name: typeof fault) => (fault === name && name ? faultToasts[name].description : undefined)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-4">
      <div className="grid gap-4 md:grid-cols-[minmax(0,1fr)_240px] md:gap-3">
        <Field label="Title" required error={errorOf('title')}>
          <Input value={draft.title} maxLength={titleMax} onChange={(event) => change({ title: event.target.value })} />
        </Field>
        <Field label="Auction facilitator">
          <Select
            value={draft.auctionFacilitator}
            onChange={(auctionFacilitator) => change({ auctionFacilitator })}
            options={facilitatorOptions}
            placeholder="Select facilitator"
          />
        </Field>
      </div>
      <Field label="Description" optional>
        <Textarea
          value={draft.description}
          maxLength={descriptionMax}
          onChange={(event) => change({ description: event.target.value })}
        />
      </Field>
      {speaksOfAuction(draft) ? (
        <AuctionFields
          draft={draft.auction}
          strict={fault === 'auction'}
          onChange={(edit) => change({ auction: { ...draft.auction, ...edit } })}
        />
      ) : null}
      {draft.type === 'spreadsheet' ? (
        <Field
          label="Spreadsheet URL"
          required
          hint="The link must be publicly accessible."
          error={errorOf('spreadsheetUrl')}
        >
          <Input
            type="url"
            inputMode="url"
            placeholder="https://"
            value={draft.spreadsheetUrl}
            onChange={(event) => change({ spreadsheetUrl: event.target.value })}
          />
        </Field>
      ) : (
        <Vehicles state={state} />
      )}
    </div>
  )
}

function Vehicles({ state }: { state: PostDraftState }) {
  const { draft, change, changeVehicle, fault } = state
  const dealer = useCurrentDealer()
  const strict = fault === 'vehicles'
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set())
  const [first] = draft.vehicles
  if (draft.type === 'single') {
    if (!first) return null
    return <VehicleCard key={first.key} vehicle={first} title="Vehicle" strict={strict} onEdit={changeVehicle} />
  }
  const toggle = (key: string) =>
    setUnfolded((current) => new Set(current.has(key) ? [...current].filter((one) => one !== key) : [...current, key]))
  const add = () => {
    const vehicle = emptyVehicle(placeOf(dealer))
    change({ vehicles: [...draft.vehicles, vehicle] })
    setUnfolded((current) => new Set([...current, vehicle.key]))
  }
  return (
    <>
      {draft.vehicles.map((vehicle, index) => (
        <VehicleCard
          key={vehicle.key}
          vehicle={vehicle}
          title={`Vehicle ${index + 1}`}
          strict={strict}
          onEdit={changeVehicle}
          folding={{
            // One that is still being filled in stays open; a complete one folds by itself unless asked to stay.
            open: unfolded.has(vehicle.key) || !isComplete(vehicle),
            onToggle: () => toggle(vehicle.key),
            onRemove: () =>
              change({ vehicles: withoutVehicle(draft.vehicles, vehicle.key, emptyVehicle(placeOf(dealer))) }),
          }}
        />
      ))}
      <div>
        <Button icon={<Plus size={16} />} onClick={add} disabled={draft.vehicles.length >= vehiclesPerPost}>
          Add Vehicle
        </Button>
      </div>
    </>
  )
}

/** There is always one card to fill in. */
function withoutVehicle<V extends { key: string }>(vehicles: readonly V[], key: string, fresh: V): V[] {
  const others = vehicles.filter((vehicle) => vehicle.key !== key)
  return others.length > 0 ? others : [fresh]
}
