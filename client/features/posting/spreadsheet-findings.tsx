import { formatNumber, plural } from '#client/ui/format.ts'
import type { SheetFault, SheetSummary } from '#shared/schemas/posting.ts'

interface SheetFindingsProps {
  faults: readonly SheetFault[]
  /** Null if the spreadsheet was read before summaries existed. */
  summary: SheetSummary | null
}

/** Describes how many rows were skipped and how many cells need a check. `incomplete` counts rows that lack required fields. */
export function findingsLine({ faults, summary }: SheetFindingsProps, incomplete = 0): string {
  const cells = faults.filter(({ listed }) => listed === true).length
  const rows = faults.length - cells + incomplete
  const more = summary?.moreFaults ?? 0
  return [
    rows > 0 ? `, ${plural(rows, 'row')} left out` : '',
    cells > 0 ? `, ${plural(cells, 'cell')} to check` : '',
    more > 0 ? `, ${formatNumber(more)} more to check` : '',
  ].join('')
}

export function SheetFindings({ faults, summary }: SheetFindingsProps) {
  return (
    <div className="grid gap-1 text-xs">
      {summary ? <SummaryLines summary={summary} /> : null}
      {faults.length > 0 ? (
        <ul aria-label="Rows to check" tabIndex={0} className="num max-h-40 overflow-y-auto text-warning-ink">
          {faults.map(({ row, column, message, text }, index) => (
            <li key={index} className="break-words">
              Row {row}: {message}
              {text === undefined ? null : (
                <span className="text-ink-2">
                  {' '}
                  ({column === undefined ? '' : `${column}: `}
                  <q>{text}</q>)
                </span>
              )}
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  )
}

function SummaryLines({
  summary: { columns, priceFrom, unread, hiddenRows, hiddenColumns, otherSheets },
}: {
  summary: SheetSummary
}) {
  const [first, ...others] = priceFrom
  const read = columns?.flatMap(({ name, field }) => (field === null ? [] : name)) ?? []
  return (
    <ul aria-label="How the columns were read" className="text-ink-2">
      <li className="break-words">
        {first === undefined ? 'No column was read as the price' : `Price column: ${first}`}
        {others.length > 0 ? `; where it is empty: ${others.join(', then ')}` : ''}
      </li>
      {read.length > 0 ? <li className="break-words">Columns read: {read.join(', ')}</li> : null}
      {unread.length > 0 ? <li className="break-words">Columns not read: {unread.join(', ')}</li> : null}
      {hiddenColumns ? <li className="break-words">Hidden columns not read: {hiddenColumns.join(', ')}</li> : null}
      {otherSheets ? <li className="break-words">Other sheets not read: {otherSheets.join(', ')}</li> : null}
      {hiddenRows > 0 ? <li className="num">{plural(hiddenRows, 'hidden row')} not read</li> : null}
    </ul>
  )
}
