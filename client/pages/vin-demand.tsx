import { useState } from 'react'
import { placeOf } from '#client/features/posting/post-draft.ts'
import {
  fillFromVin,
  newVehicle,
  refusedFields,
  toNewVehicle,
  type VehicleField,
  withScannedVin,
  withText,
  withVin,
} from '#client/features/posting/vehicle-draft.ts'
import { dialogLookUp, VinField } from '#client/features/posting/vin/vin-field.tsx'
import { DemandPanel } from '#client/features/wanted/demand-panel.tsx'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { Card } from '#client/ui/card.tsx'
import { Field } from '#client/ui/field.tsx'
import { Input } from '#client/ui/input.tsx'
import { vinLength } from '#shared/limits.ts'

/** Shows what buyers would pay for a vehicle, based on its VIN and mileage. Does not create a post. */
export function VinDemand() {
  const dealer = useCurrentDealer()
  const [vehicle, setVehicle] = useState(() => newVehicle(placeOf(dealer)))
  const isRead = vehicle.vin.length === vinLength
  const text = (field: VehicleField, label: string, numeric = false) => (
    <Field
      label={label}
      auto={vehicle.fromVin.includes(field) ? 'From VIN' : undefined}
      error={vehicle[field] === '' ? undefined : refusedFields(vehicle)[field]}
    >
      <Input
        {...(numeric && { inputMode: 'numeric', className: 'num' })}
        autoComplete="off"
        value={vehicle[field]}
        onChange={({ target }) => setVehicle((current) => withText(current, field, target.value))}
      />
    </Field>
  )
  return (
    <Card aria-label="Prices for your vehicle" className="p-4">
      <h2 className="text-base font-semibold">Prices for your vehicle</h2>
      <p className="mb-3 text-ink-2">Enter the VIN and mileage of a vehicle you have to see what buyers pay.</p>
      <div className="grid items-start gap-3 md:grid-cols-[minmax(0,24rem)_10rem]">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
          <VinField
            vin={vehicle.vin}
            lookUp={dialogLookUp}
            onChange={(vin) => setVehicle((current) => withVin(current, vin))}
            onScanned={(vin) => setVehicle((current) => withScannedVin(current, vin))}
            onFound={(found) => setVehicle((current) => fillFromVin(current, found))}
          />
        </div>
        {text('mileage', 'Mileage', true)}
      </div>
      {isRead ? (
        <div className="mt-3 grid max-w-[34.75rem] grid-cols-2 gap-3 md:grid-cols-[5rem_1fr_1fr_1fr]">
          {text('year', 'Year', true)}
          {text('make', 'Make')}
          {text('model', 'Model')}
          {text('trim', 'Trim')}
        </div>
      ) : null}
      <div className="mt-4 -mb-4 empty:hidden">
        <DemandPanel
          vehicle={toNewVehicle(vehicle)}
          hasPhotos={false}
          opensBidding={false}
          none={<p className="mb-4 text-ink-2">No dealer has a buy order for this vehicle right now.</p>}
        />
      </div>
    </Card>
  )
}
