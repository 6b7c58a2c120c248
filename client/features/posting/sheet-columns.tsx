import ChevronDown from 'lucide-react/icons/chevron-down'
import { Button } from '#client/ui/button.tsx'
import { Field } from '#client/ui/field.tsx'
import { Select } from '#client/ui/select.tsx'
import { sheetFields } from '#shared/constants/posting.ts'
import type { SheetColumn, SheetColumnChoice, SheetField, SheetSummary } from '#shared/schemas/posting.ts'

export const fieldLabels: Record<SheetField, string> = {
  vin: 'VIN',
  year: 'Year',
  make: 'Make',
  model: 'Model',
  trim: 'Trim',
  mileage: 'Mileage',
  distanceUnit: 'Miles or kilometers',
  price: 'Price',
  color: 'Color',
  city: 'City',
  state: 'State',
  notes: 'Notes',
  location: 'Location',
}

const unused = 'none'

interface SheetColumnsProps {
  summary: SheetSummary
  busy: boolean
  /** Called with all of the dealer's corrections. If there are none, the server assigns columns by their headings alone. */
  onChoose: (choice: SheetColumnChoice) => void
}

export function SheetColumns({ summary, busy, onChoose }: SheetColumnsProps) {
  const { columns = [], chosen = {} } = summary
  const options = [
    { value: unused, label: 'Do not use' },
    ...columns.map(({ name, sample }, index) => ({
      value: String(index),
      label: sample === '' ? name : `${name} (${sample})`,
    })),
  ]
  const choose = (field: SheetField, value: string) => {
    const name = columns[Number(value)]?.name ?? null
    if (name !== (columnOf(field, summary)?.name ?? null)) onChoose({ ...chosen, [field]: name })
  }
  const isCorrected = Object.keys(chosen).length > 0
  return (
    <details className="group text-xs">
      <summary className="flex min-h-6 cursor-pointer list-none items-center gap-1 font-semibold touch:min-h-11">
        Correct the columns
        <ChevronDown size={16} className="group-open:rotate-180" aria-hidden="true" />
      </summary>
      <p className="mt-1 text-ink-2">
        Choose another column for a field, or none. We'll read sheets with these headings the same way next time.
      </p>
      <div className="mt-2 grid gap-3 sm:grid-cols-2">
        {sheetFields.map((field) => {
          const column = columnOf(field, summary)
          return (
            <Field key={field} label={fieldLabels[field]}>
              <Select
                value={column === undefined ? unused : String(columns.indexOf(column))}
                options={options}
                disabled={busy}
                onChange={(value) => choose(field, value)}
              />
            </Field>
          )
        })}
      </div>
      {isCorrected ? (
        <Button size="sm" className="mt-3" disabled={busy} onClick={() => onChoose({})}>
          Remove my corrections
        </Button>
      ) : null}
    </details>
  )
}

function columnOf(field: SheetField, { columns = [], priceFrom }: SheetSummary): SheetColumn | undefined {
  const own = columns.filter((column) => column.field === field)
  return (field === 'price' ? own.find(({ name }) => name === priceFrom[0]) : undefined) ?? own[0]
}
