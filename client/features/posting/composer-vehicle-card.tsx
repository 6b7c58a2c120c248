import { X } from 'lucide-react'
import { type KeyboardEvent, useId, useState } from 'react'
import { Button } from '#client/ui/button.tsx'
import { formatPlace } from '#client/ui/format.ts'
import { IconButton } from '#client/ui/icon-button.tsx'
import type { Photos } from './photos/use-photo-queue.ts'
import { VehicleFields } from './vehicle-card.tsx'
import { canGoOut, composerVehicle, nextVehicle, type VehicleDraft } from './vehicle-draft.ts'
import { composerLookUp } from './vin/vin-field.tsx'

interface ComposerVehicleCardProps {
  /** Where the dealer is, and so most vehicles. */
  place: { city: string; state: string }
  /** Those that are attached already: the next one stands where the last does. */
  others: readonly VehicleDraft[]
  photos: Photos
  onAdd: (vehicle: VehicleDraft) => void
  onClose: () => void
}

/** The add-vehicle-details card: a look-up of the VIN fills it; Add needs vin, make and model. */
export function ComposerVehicleCard({ place, others, photos, onAdd, onClose }: ComposerVehicleCardProps) {
  const [vehicle, setVehicle] = useState(() =>
    others.length > 0
      ? { ...nextVehicle(others, place), lenient: true }
      : composerVehicle({ ...place, location: formatPlace(place) }),
  )
  const headingId = useId()
  const ready = canGoOut(vehicle)
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
      <VehicleFields
        vehicle={vehicle}
        photos={photos}
        lookUp={composerLookUp}
        onEdit={(_key, edit) => setVehicle((current) => edit(current))}
      />
      <div className="flex items-center justify-between gap-3">
        <p className="text-xs text-ink-2">{ready ? '' : 'VIN, make and model are needed before you can add.'}</p>
        <Button variant="primary" disabled={!ready} onClick={() => onAdd(vehicle)}>
          Add
        </Button>
      </div>
    </section>
  )
}
