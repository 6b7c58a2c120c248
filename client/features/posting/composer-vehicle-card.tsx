import { X } from 'lucide-react'
import { type KeyboardEvent, useId, useState } from 'react'
import { Button } from '#client/ui/button.tsx'
import { IconButton } from '#client/ui/icon-button.tsx'
import { Switch } from '#client/ui/switch.tsx'
import { yearMax, yearMin } from '#shared/limits.ts'
import { PhotoGrid } from './photo-grid.tsx'
import type { Photos } from './use-photo-queue.ts'
import { VehicleText, type VehicleTextOptions } from './vehicle-card.tsx'
import {
  canAdd,
  fillFromVin,
  newVehicle,
  type VehicleDraft,
  type VehicleField,
  withText,
  withVin,
} from './vehicle-draft.ts'
import { composerLookUp, VinField } from './vin-field.tsx'

interface ComposerVehicleCardProps {
  location: string
  photos: Photos
  onAdd: (vehicle: VehicleDraft) => void
  onClose: () => void
}

/** The add-vehicle-details card: a look-up of the VIN fills it; Add needs vin, make and model. */
export function ComposerVehicleCard({ location, photos, onAdd, onClose }: ComposerVehicleCardProps) {
  const [vehicle, setVehicle] = useState(() => newVehicle({ location, atDealership: true }))
  const headingId = useId()
  const ready = canAdd(vehicle)
  const close = () => {
    photos.queue.removeVehicle(vehicle.key)
    onClose()
  }
  /** The card stands in the post's form: Enter in one of its fields adds the vehicle, it does not post. */
  const addOnEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return
    event.preventDefault()
    if (ready) onAdd(vehicle)
  }
  const text = (field: VehicleField, label: string, options: VehicleTextOptions = {}) => (
    <VehicleText
      vehicle={vehicle}
      field={field}
      label={label}
      onText={(typed) => setVehicle((current) => withText(current, field, typed))}
      {...options}
    />
  )
  return (
    <section
      aria-labelledby={headingId}
      onKeyDown={addOnEnter}
      className="grid gap-3 border-t border-line bg-sunken px-4 py-3"
    >
      <div className="flex items-center justify-between">
        <h2 id={headingId} className="font-semibold">
          Add vehicle details
        </h2>
        <IconButton label="Close vehicle details" icon={<X size={18} />} onClick={close} />
      </div>
      <VinField
        vin={vehicle.vin}
        lookUp={composerLookUp}
        onChange={(vin) => setVehicle((current) => withVin(current, vin))}
        onFound={(found) => setVehicle((current) => fillFromVin(current, found))}
      />
      <div className="grid grid-cols-2 gap-3 md:grid-cols-4">
        {text('year', 'Year', { type: 'number', min: yearMin, max: yearMax, inputMode: 'numeric' })}
        {text('make', 'Make')}
        {text('model', 'Model')}
        {text('trim', 'Trim')}
        {text('mileage', 'Mileage', { inputMode: 'numeric', digitsOnly: true })}
        {text('price', 'Price', { type: 'number', min: 0, step: 0.01, inputMode: 'decimal' })}
        {text('location', 'Location')}
        <div className="flex items-end md:pb-1.5">
          <Switch
            label="At dealership"
            checked={vehicle.atDealership === true}
            onChange={(atDealership) => setVehicle((current) => ({ ...current, atDealership }))}
          />
        </div>
      </div>
      {text('notes', 'Notes')}
      <div>
        <p className="mb-1 font-medium">Photos of this vehicle</p>
        <PhotoGrid photos={photos} vehicle={vehicle.key} className="md:grid-cols-6" />
      </div>
      <div className="flex items-center justify-between gap-3">
        <p className="text-xs text-ink-2">{ready ? '' : 'VIN, make and model are needed before you can add.'}</p>
        <Button variant="primary" disabled={!ready} onClick={() => onAdd(vehicle)}>
          Add
        </Button>
      </div>
    </section>
  )
}
