import { type ReactNode, useCallback } from 'react'
import { Field } from '#client/ui/field.tsx'
import { Input } from '#client/ui/input.tsx'
import { Select } from '#client/ui/select.tsx'
import { yearMax, yearMin } from '#shared/limits.ts'
import { usStates } from '#shared/places.ts'
import { dialogVinMessage } from '#shared/vin.ts'
import { fillFromVin, withText, withVin } from './from-vin.ts'
import { useVinFill } from './use-vin-fill.ts'
import { missingFields, type VehicleDraft, type VehicleField } from './vehicle-draft.ts'
import { VinField, VinOutcome, VinWarnings } from './vin-field.tsx'

const stateOptions = usStates.map((state) => ({ value: state, label: state }))

export type EditVehicle = (key: string, edit: (vehicle: VehicleDraft) => VehicleDraft) => void

interface VehicleFieldsProps {
  vehicle: VehicleDraft
  /** The same function at every render: a look-up under way depends on it. */
  onEdit: EditVehicle
  /** Says what is missing: after a press on Post Inventory. */
  strict: boolean
  /** The vehicle is on offer already. */
  editing?: boolean
  /** What is incomplete does not go out; false: all of it does. */
  leavesOut?: boolean
}

/** All fields of one vehicle. */
export function VehicleFields({ vehicle, onEdit, strict, editing = false, leavesOut = true }: VehicleFieldsProps) {
  const { key } = vehicle
  const { outcome, report } = useVinFill(
    vehicle.vin,
    useCallback((decoded) => onEdit(key, (current) => fillFromVin(current, decoded)), [onEdit, key]),
  )
  const set = (field: VehicleField, text: string) => onEdit(key, (current) => withText(current, field, text))
  const missing = missingFields(vehicle)
  const text = (field: VehicleField, label: string, options: TextOptions = {}) => (
    <TextField vehicle={vehicle} field={field} label={label} onText={(value) => set(field, value)} {...options} />
  )
  return (
    <div className="grid gap-4">
      <VinField
        vin={vehicle.vin}
        onChange={(vin) => onEdit(key, (current) => withVin(current, vin))}
        error={dialogVinMessage(vehicle.vin)}
      />
      {outcome ? <VinOutcome {...outcome} /> : null}
      <VinWarnings report={report} editing={editing} />
      <div className="grid grid-cols-2 gap-3 md:grid-cols-[80px_1fr_1fr_1fr]">
        {text('year', 'Year', { type: 'number', min: yearMin, max: yearMax, inputMode: 'numeric' })}
        {text('make', 'Make')}
        {text('model', 'Model')}
        {text('trim', 'Trim', { optional: true })}
      </div>
      <div className="grid grid-cols-2 gap-3 md:grid-cols-3">
        {text('mileage', 'Mileage', { inputMode: 'numeric', digitsOnly: true })}
        {text('price', 'Price', { type: 'number', min: 0, step: 0.01, inputMode: 'decimal' })}
        {text('color', 'Color', { optional: true })}
      </div>
      <div className="grid grid-cols-[1fr_120px] gap-3 md:grid-cols-[1fr_160px]">
        {text('city', 'City')}
        <Field label="State">
          <Select
            value={vehicle.state}
            onChange={(state) => set('state', state)}
            options={stateOptions}
            placeholder="State"
          />
        </Field>
      </div>
      {missing.length > 0 ? (
        <p className={strict ? 'text-xs text-danger-ink' : 'text-xs text-ink-2'}>
          Still needed: {missing.join(', ')}.{leavesOut ? ' Incomplete vehicles are left out of the post.' : null}
        </p>
      ) : null}
    </div>
  )
}

interface TextOptions {
  optional?: boolean
  type?: 'number'
  min?: number
  max?: number
  step?: number
  inputMode?: 'numeric' | 'decimal'
  digitsOnly?: boolean
}

interface TextFieldProps extends TextOptions {
  vehicle: VehicleDraft
  field: VehicleField
  label: string
  onText: (text: string) => void
}

function TextField({ vehicle, field, label, onText, optional, digitsOnly, ...input }: TextFieldProps): ReactNode {
  return (
    <Field label={label} optional={optional ?? false} auto={vehicle.fromVin.includes(field) ? 'From VIN' : undefined}>
      <Input
        {...input}
        value={vehicle[field]}
        onChange={(event) => onText(digitsOnly ? event.target.value.replace(/\D/g, '') : event.target.value)}
        autoComplete="off"
        className={input.type === 'number' || digitsOnly ? 'num' : undefined}
      />
    </Field>
  )
}
