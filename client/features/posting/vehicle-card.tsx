import Check from 'lucide-react/icons/check'
import ChevronDown from 'lucide-react/icons/chevron-down'
import ChevronUp from 'lucide-react/icons/chevron-up'
import Trash2 from 'lucide-react/icons/trash'
import { type ReactNode, type Ref, useId, useRef, useState } from 'react'
import { typedMiles } from '#client/lib/form/typed-amount.ts'
import { Badge } from '#client/ui/badge.tsx'
import { Button } from '#client/ui/button.tsx'
import { Field } from '#client/ui/field.tsx'
import { formatPlace, formatVehicle } from '#client/ui/format.ts'
import { IconButton } from '#client/ui/icon-button.tsx'
import { Input } from '#client/ui/input.tsx'
import { useNarrow } from '#client/ui/screen-width.ts'
import { Select } from '#client/ui/select.tsx'
import { vehicleStateOptions } from '#client/ui/state-options.ts'
import { Switch } from '#client/ui/switch.tsx'
import {
  fillFromVin,
  isComplete,
  isDecoded,
  missingFields,
  refusedFields,
  type VehicleDraft,
  vehicleFacts,
  wrongFields,
  type VehicleField,
  withScannedVin,
  withText,
  withVin,
} from './vehicle-draft.ts'
import { PhotoGrid } from './photos/photo-grid.tsx'
import type { Photos } from './photos/use-photo-queue.ts'
import { dialogLookUp, VinField, type VinLookUp, type VinScan } from './vin/vin-field.tsx'

interface VehicleFieldsProps {
  vehicle: VehicleDraft
  /** Omitted if a single strip shows the photos of all vehicles. */
  photos?: Photos
  onEdit: (key: string, edit: (vehicle: VehicleDraft) => VehicleDraft) => void
  lookUp?: VinLookUp
  scan?: VinScan | undefined
  strict?: boolean
  /** True for the only vehicle of a new post. Its photos are stored as the post's photos. */
  isOnly?: boolean
  children?: ReactNode
}

interface StillNeededProps {
  vehicle: VehicleDraft
  strict: boolean
  /** True if incomplete vehicles are left out of the post. */
  leavesOut?: boolean
}

interface VehicleCardProps extends Omit<VehicleFieldsProps, 'lookUp' | 'strict'>, StillNeededProps {
  title: string
  /** Set if the post has several vehicles, so that the dealer can collapse the card or remove the vehicle. */
  folding?: CollapseProps
  children?: ReactNode
}

export function VehicleCard({
  vehicle,
  title,
  folding,
  children,
  strict,
  leavesOut = true,
  ...fields
}: VehicleCardProps) {
  const bodyId = useId()
  const open = folding?.open ?? true
  // For the only vehicle of a new post, missing fields are listed next to the Post button, and photos are stored as the post's photos.
  const isOnly = leavesOut && folding === undefined
  const name = formatVehicle(vehicle)
  return (
    <section aria-label={title} className="rounded-md border border-line">
      <div className="flex min-h-12 items-center gap-2 py-1 pr-2 pl-4">
        <h3 className="min-w-0 flex-1 truncate font-semibold">
          {open || name === '' ? title : name}
          {open ? null : (
            <span className="num ml-1 font-normal text-ink-2">{vehicleFacts(vehicle, formatPlace(vehicle))}</span>
          )}
        </h3>
        <Verdict complete={isComplete(vehicle)} />
        {folding ? <CollapseButtons title={title.toLowerCase()} bodyId={bodyId} {...folding} /> : null}
      </div>
      {open ? (
        <div id={bodyId} className="px-4 pb-4">
          <VehicleFields vehicle={vehicle} strict={strict} isOnly={isOnly} {...fields}>
            {isOnly ? null : <StillNeeded vehicle={vehicle} strict={strict} leavesOut={leavesOut} />}
          </VehicleFields>
        </div>
      ) : null}
      {children ? <div className="px-4 pb-3">{children}</div> : null}
    </section>
  )
}

interface CollapseProps {
  open: boolean
  onToggle: () => void
  onRemove: () => void
}

function CollapseButtons({
  title,
  bodyId,
  open,
  onToggle,
  onRemove,
}: CollapseProps & { title: string; bodyId: string }) {
  return (
    <>
      <IconButton label={`Remove ${title}`} icon={<Trash2 size={18} />} onClick={onRemove} />
      <IconButton
        label={open ? `Collapse ${title}` : `Edit ${title}`}
        icon={open ? <ChevronUp size={18} /> : <ChevronDown size={18} />}
        aria-expanded={open}
        aria-controls={open ? bodyId : undefined}
        onClick={onToggle}
      />
    </>
  )
}

function Verdict({ complete }: { complete: boolean }) {
  if (!complete) return <Badge tone="warning">Incomplete</Badge>
  return (
    <Badge tone="success" icon={<Check size={12} aria-hidden="true" />}>
      Complete
    </Badge>
  )
}

function StillNeeded({ vehicle, strict, leavesOut }: StillNeededProps) {
  const missing = missingFields(vehicle)
  if (missing.length === 0) return null
  return (
    <p className={strict ? 'text-xs text-danger-ink' : 'text-xs text-ink-2'}>
      Still needed: {missing.join(', ')}.{leavesOut ? ' Incomplete vehicles are left out of the post.' : null}
    </p>
  )
}

/** The fields of a vehicle. On a phone, values that are already known are collapsed into one line. */
export function VehicleFields({
  vehicle,
  photos,
  onEdit,
  lookUp = dialogLookUp,
  scan,
  strict = false,
  isOnly = false,
  children,
}: VehicleFieldsProps) {
  const { key } = vehicle
  const mileage = useRef<HTMLInputElement>(null)
  const narrow = useNarrow()
  const refused = strict ? refusedFields(vehicle) : {}
  const set = (field: VehicleField, text: string) => onEdit(key, (current) => withText(current, field, text))
  const text: TextField = (field, label, options = {}) => (
    <VehicleText
      vehicle={vehicle}
      field={field}
      label={label}
      strict={strict}
      onText={(value) => set(field, value)}
      {...options}
    />
  )
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <VinField
        vin={vehicle.vin}
        lookUp={lookUp}
        editing={vehicle.id !== undefined}
        refusal={refused.vin}
        scan={scan}
        onChange={(vin) => onEdit(key, (current) => withVin(current, vin))}
        onScanned={(vin) => {
          onEdit(key, (current) => withScannedVin(current, vin))
          mileage.current?.focus()
        }}
        onFound={(found) => onEdit(key, (current) => fillFromVin(current, found))}
      />
      <CollapsedFields
        name="what the VIN says"
        line={narrow && isDecoded(vehicle) ? formatVehicle(vehicle) : undefined}
      >
        <div className="grid grid-cols-2 gap-3 md:grid-cols-[5rem_1fr_1fr_1fr]">
          {text('year', 'Year', { inputMode: 'numeric' })}
          {text('make', 'Make')}
          {text('model', 'Model')}
          {text('trim', 'Trim', { optional: true })}
        </div>
      </CollapsedFields>
      <div className="grid grid-cols-2 gap-3 md:grid-cols-3">
        {text('mileage', 'Mileage', { inputMode: 'numeric', tidy: tidyMiles, ref: mileage })}
        {text('price', 'Price', { inputMode: 'decimal' })}
        {text('color', 'Color', { optional: true })}
      </div>
      <PlaceFields vehicle={vehicle} onEdit={onEdit} text={text} stateError={refused.state} narrow={narrow} />
      {text('notes', 'Notes', { optional: true })}
      {children}
      {photos === undefined || (isOnly && !photos.list.some((photo) => photo.vehicle === key)) ? null : (
        <div>
          <p className="mb-1 font-medium">Photos of this vehicle</p>
          <PhotoGrid photos={photos} vehicle={key} className="md:grid-cols-4" />
        </div>
      )}
    </div>
  )
}

type TextField = (field: VehicleField, label: string, options?: VehicleTextOptions) => ReactNode

interface PlaceFieldsProps extends Pick<VehicleFieldsProps, 'vehicle' | 'onEdit'> {
  text: TextField
  stateError: string | undefined
  narrow: boolean
}

function PlaceFields({ vehicle, onEdit, text, stateError, narrow }: PlaceFieldsProps) {
  const { key, city, state, location, atDealership } = vehicle
  // Computed once, on mount, so that the fields do not collapse while the dealer is typing.
  const [isKnown] = useState(city !== '' && state !== '')
  const place = formatPlace(vehicle)
  const line = [place, location === place ? '' : location, atDealership === true ? 'At dealership' : '']
  return (
    <CollapsedFields
      name="the place"
      line={narrow && isKnown ? line.filter((part) => part !== '').join(' · ') : undefined}
    >
      <div className="grid grid-cols-[1fr_7.5rem] gap-3 md:grid-cols-[1fr_10rem]">
        {text('city', 'City')}
        <Field label="State" error={stateError}>
          <Select
            value={state}
            onChange={(chosen) => onEdit(key, (current) => withText(current, 'state', chosen))}
            options={vehicleStateOptions}
            placeholder="State"
          />
        </Field>
      </div>
      <div className="grid items-end gap-3 md:grid-cols-2">
        {text('location', 'Location', { optional: true })}
        <div className="md:pb-1.5">
          <Switch
            label="At dealership"
            checked={atDealership === true}
            onChange={(chosen) => onEdit(key, (current) => ({ ...current, atDealership: chosen }))}
          />
        </div>
      </div>
    </CollapsedFields>
  )
}

/** Moves focus to the first field, because the pressed button was removed. */
const focusFirst = (fields: HTMLElement | null) => fields?.querySelector('input')?.focus()

/** Shows `line` and a button that reveals the fields. If `line` is undefined, always shows the fields. */
function CollapsedFields({ name, line, children }: { name: string; line: string | undefined; children: ReactNode }) {
  const [asked, setAsked] = useState(false)
  if (asked)
    return (
      <div ref={focusFirst} className="grid gap-4">
        {children}
      </div>
    )
  if (line === undefined) return children
  return (
    <div className="flex min-h-11 items-center gap-2 rounded-md bg-hover pl-3">
      <p className="min-w-0 flex-1 truncate font-medium">{line}</p>
      <Button variant="ghost" aria-label={`Edit ${name}`} onClick={() => setAsked(true)}>
        Edit
      </Button>
    </div>
  )
}

const tidyMiles = (text: string) => (/\d\s*(?:k|mi|miles)$/i.test(text) ? String(typedMiles(text) ?? text) : text)

interface VehicleTextOptions {
  optional?: boolean
  inputMode?: 'numeric' | 'decimal'
  tidy?: (text: string) => string
  ref?: Ref<HTMLInputElement>
}

interface VehicleTextProps extends VehicleTextOptions {
  vehicle: VehicleDraft
  field: VehicleField
  label: string
  strict: boolean
  onText: (text: string) => void
}

function VehicleText({ vehicle, field, label, strict, onText, optional, tidy, ...input }: VehicleTextProps) {
  const [left, setLeft] = useState(false)
  const faults = strict ? refusedFields(vehicle) : wrongFields(vehicle)
  const error = strict || left ? faults[field] : undefined
  return (
    <Field
      label={label}
      optional={optional ?? false}
      auto={vehicle.fromVin.includes(field) ? 'From VIN' : undefined}
      error={error}
    >
      <Input
        {...input}
        value={vehicle[field]}
        onChange={(event) => onText(tidy?.(event.target.value) ?? event.target.value)}
        onFocus={() => setLeft(false)}
        onBlur={() => setLeft(true)}
        autoComplete="off"
        className={input.inputMode === undefined ? undefined : 'num'}
      />
    </Field>
  )
}
