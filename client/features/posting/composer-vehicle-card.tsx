import X from 'lucide-react/icons/x'
import { type KeyboardEvent, useId } from 'react'
import { enter, isPressed } from '#client/lib/keys/shortcuts.ts'
import { Button } from '#client/ui/button.tsx'
import { formatPlace } from '#client/ui/format.ts'
import { IconButton } from '#client/ui/icon-button.tsx'
import { PickPhotos } from './photos/pick-photos.tsx'
import type { Photos } from './photos/use-photo-queue.ts'
import { VehicleFields } from './vehicle-card.tsx'
import { canBePosted, composerVehicle, nextVehicle, type VehicleDraft, wrongFields } from './vehicle-draft.ts'
import { composerLookUp } from './vin/vin-field.tsx'

export const vehicleToAdd = (others: readonly VehicleDraft[], place: { city: string; state: string }): VehicleDraft =>
  others.length > 0
    ? { ...nextVehicle(others, place), lenient: true }
    : composerVehicle({ ...place, location: formatPlace(place) })

interface ComposerVehicleCardProps {
  vehicle: VehicleDraft
  photos: Photos
  onEdit: (key: string, edit: (vehicle: VehicleDraft) => VehicleDraft) => void
  onAdd: () => void
  onClose: () => void
}

export function ComposerVehicleCard({ vehicle, photos, onEdit, onAdd, onClose }: ComposerVehicleCardProps) {
  const headingId = useId()
  const ready = canBePosted(vehicle)
  const [wrong] = Object.values(wrongFields(vehicle))
  const lacking = wrong ?? 'Enter the VIN, make and model first.'
  /** Enter adds the vehicle instead of submitting the surrounding post form. */
  const addOnEnter = (event: KeyboardEvent) => {
    if (!isPressed(event, enter) || !(event.target instanceof HTMLInputElement)) return
    event.preventDefault()
    if (ready) onAdd()
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
        <IconButton label="Close vehicle details" icon={<X size={18} />} onClick={onClose} />
      </div>
      <VehicleFields vehicle={vehicle} lookUp={composerLookUp} onEdit={onEdit}>
        {/* The chosen photos appear in the composer's photo strip, not in this card. */}
        <div>
          <PickPhotos label="Photos of this vehicle" onFiles={(files) => photos.add(files, vehicle.key)}>
            Add photos of this vehicle
          </PickPhotos>
        </div>
      </VehicleFields>
      <div className="flex items-center justify-between gap-3">
        <p className="text-xs text-ink-2">{ready ? '' : lacking}</p>
        <Button variant="primary" disabled={!ready} onClick={onAdd}>
          Add
        </Button>
      </div>
    </section>
  )
}
