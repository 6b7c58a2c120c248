import { X } from 'lucide-react'
import { type KeyboardEvent, useCallback, useId, useState } from 'react'
import { Button } from '#client/ui/button.tsx'
import { Field } from '#client/ui/field.tsx'
import { IconButton } from '#client/ui/icon-button.tsx'
import { Input } from '#client/ui/input.tsx'
import { Switch } from '#client/ui/switch.tsx'
import { yearMax, yearMin } from '#shared/limits.ts'
import { canAdd, type ComposerVehicle, emptyComposerVehicle, type TextField } from './composer-draft.ts'
import { useComposerVin } from './composer-vin.ts'
import { fillFromVin, withText, withVin } from './from-vin.ts'
import { PhotoGrid } from './photo-grid.tsx'
import type { Photos } from './use-photo-queue.ts'
import { VinField, VinWarnings } from './vin-field.tsx'

interface ComposerVehicleCardProps {
  location: string
  photos: Photos
  onAdd: (vehicle: ComposerVehicle) => void
  onClose: () => void
}

/** The add-vehicle-details card: a look-up of the VIN fills it; Add needs vin, make and model. */
export function ComposerVehicleCard({ location, photos, onAdd, onClose }: ComposerVehicleCardProps) {
  const [vehicle, setVehicle] = useState(() => emptyComposerVehicle(location))
  const headingId = useId()
  const { looking, error, report } = useComposerVin(
    vehicle.vin,
    useCallback((decoded) => setVehicle((current) => fillFromVin(current, decoded)), []),
  )
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
  const text = (key: TextField, label: string, options: Omit<Parameters<typeof Input>[0], 'size'> = {}) => (
    <Field label={label} auto={vehicle.fromVin.includes(key) ? 'From VIN' : undefined}>
      <Input
        {...options}
        value={vehicle[key]}
        autoComplete="off"
        onChange={(event) => {
          const typed = key === 'mileage' ? event.target.value.replace(/\D/g, '') : event.target.value
          setVehicle((current) => withText(current, key, typed))
        }}
      />
    </Field>
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
        onChange={(vin) => setVehicle((current) => withVin(current, vin))}
        error={error}
        looking={looking}
      />
      <VinWarnings report={report} />
      <div className="grid grid-cols-2 gap-3 md:grid-cols-4">
        {text('year', 'Year', { type: 'number', min: yearMin, max: yearMax, inputMode: 'numeric' })}
        {text('make', 'Make')}
        {text('model', 'Model')}
        {text('trim', 'Trim')}
        {text('mileage', 'Mileage', { inputMode: 'numeric' })}
        {text('price', 'Price', { type: 'number', min: 0, step: 0.01, inputMode: 'decimal' })}
        {text('location', 'Location')}
        <div className="flex items-end md:pb-1.5">
          <Switch
            label="At dealership"
            checked={vehicle.atDealership}
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
