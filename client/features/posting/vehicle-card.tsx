import { Check, ChevronDown, ChevronUp, Trash2 } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { Badge } from '#client/ui/badge.tsx'
import { formatMileage, formatMoney, formatPlace } from '#client/ui/format.ts'
import { IconButton } from '#client/ui/icon-button.tsx'
import { isComplete, type VehicleDraft, vehicleName } from './vehicle-draft.ts'
import { type EditVehicle, VehicleFields } from './vehicle-fields.tsx'

interface VehicleCardProps {
  vehicle: VehicleDraft
  title: string
  onEdit: EditVehicle
  strict: boolean
  editing?: boolean
  /** What is incomplete does not go out; false: all of it does. */
  leavesOut?: boolean
  /** A vehicle of several: folds to a line, and can be taken out. */
  folding?: { open: boolean; onToggle: () => void; onRemove: () => void }
  /** Stays in view where the card is folded. */
  children?: ReactNode
}

/** One vehicle with its verdict, Complete or Incomplete. */
export function VehicleCard({ vehicle, title, folding, children, ...fields }: VehicleCardProps) {
  const bodyId = useId()
  const open = folding?.open ?? true
  const name = vehicleName(vehicle)
  return (
    <section aria-label={title} className="rounded-md border border-line">
      <div className="flex min-h-12 items-center gap-2 py-1 pr-2 pl-4">
        <h3 className="min-w-0 flex-1 truncate font-semibold">
          {open || name === '' ? title : name}
          {open ? null : <span className="num ml-1 font-normal text-ink-2">{factsOf(vehicle)}</span>}
        </h3>
        <Verdict complete={isComplete(vehicle)} />
        {folding ? (
          <>
            <IconButton
              label={`Remove ${title.toLowerCase()}`}
              icon={<Trash2 size={18} />}
              onClick={folding.onRemove}
            />
            <IconButton
              label={open ? `Fold ${title.toLowerCase()}` : `Edit ${title.toLowerCase()}`}
              icon={open ? <ChevronUp size={18} /> : <ChevronDown size={18} />}
              aria-expanded={open}
              aria-controls={open ? bodyId : undefined}
              onClick={folding.onToggle}
            />
          </>
        ) : null}
      </div>
      {open ? (
        <div id={bodyId} className="px-4 pb-4">
          <VehicleFields vehicle={vehicle} {...fields} />
        </div>
      ) : null}
      {children ? <div className="px-4 pb-3">{children}</div> : null}
    </section>
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

function factsOf({ mileage, price, city, state }: VehicleDraft): string {
  return [mileage && formatMileage(Number(mileage)), price && formatMoney(Number(price)), formatPlace({ city, state })]
    .filter(Boolean)
    .join(' · ')
}
