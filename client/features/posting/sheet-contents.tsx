import { formatMileage, formatMoney, formatVehicle } from '#client/ui/format.ts'
import type { SheetColumnChoice, SheetFault, SheetSummary } from '#shared/schemas/posting.ts'
import type { NewVehicle } from '#shared/schemas/posts.ts'
import { SheetColumns } from './sheet-columns.tsx'
import { SheetFindings } from './spreadsheet-findings.tsx'

const shown = 10

interface SheetContentsProps {
  /** All vehicles, or only the first few. */
  vehicles: readonly NewVehicle[]
  /** Total number of vehicles in the spreadsheet. */
  found: number
  faults: readonly SheetFault[]
  summary: SheetSummary | null
  /** Omitted if the dealer cannot correct the columns here. */
  columns?: { busy: boolean; onChoose: (choice: SheetColumnChoice) => void }
}

export function SheetContents({ vehicles, found, faults, summary, columns }: SheetContentsProps) {
  const sample = vehicles.slice(0, shown)
  return (
    <>
      <SheetFindings faults={faults} summary={summary} />
      {columns && summary ? <SheetColumns summary={summary} {...columns} /> : null}
      <ul aria-label="First vehicles of the spreadsheet" className="grid gap-1">
        {sample.map((vehicle, index) => (
          <SampleVehicle key={index} vehicle={vehicle} />
        ))}
        {found > sample.length ? <li className="num text-xs text-ink-2">and {found - sample.length} more</li> : null}
      </ul>
    </>
  )
}

function SampleVehicle({ vehicle }: { vehicle: NewVehicle }) {
  const {
    vin,
    year = null,
    make = null,
    model = null,
    trim = null,
    price,
    mileage,
    color,
    city = '',
    state = '',
  } = vehicle
  const facts = [
    price === undefined ? 'Price not given' : formatMoney(price),
    mileage === undefined ? 'Mileage not given' : formatMileage(mileage),
    color,
    [city, state].filter((part) => part !== '').join(', '),
  ]
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3">
      <span className="truncate">{formatVehicle({ year, make, model, trim })}</span>
      <span className="vin text-ink-2">{vin ?? 'No VIN'}</span>
      <span className="num col-span-full truncate text-xs text-ink-2">{facts.filter(Boolean).join(' · ')}</span>
    </li>
  )
}
