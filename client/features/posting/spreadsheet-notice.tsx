import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import ChevronDown from 'lucide-react/icons/chevron-down'
import FileSpreadsheet from 'lucide-react/icons/file-spreadsheet'
import RotateCw from 'lucide-react/icons/rotate-cw'
import { call } from '#client/lib/http/api.ts'
import { Button } from '#client/ui/button.tsx'
import { plural } from '#client/ui/format.ts'
import { InlineError } from '#client/ui/inline-error.tsx'
import { Spinner } from '#client/ui/spinner.tsx'
import type { SheetReport } from '#shared/schemas/posting.ts'
import { HeldSheetCard } from './held-sheet.tsx'
import { sheetQuery } from './posting.api.ts'
import { changesLine, SheetChangesList } from './sheet-changes.tsx'
import { findingsLine, SheetFindings } from './spreadsheet-findings.tsx'

/** Shows the seller the result of importing a spreadsheet link: vehicles, skipped rows and changes, or the error. */
export function SheetNotice({ postId, version }: { postId: string; version: number }) {
  const query = sheetQuery(postId, version)
  const { data: report } = useQuery(query)
  const cache = useQueryClient()
  const repeat = useMutation({
    mutationFn: () => call(`/api/inventory/${postId}/sheet`, { method: 'POST' }),
    onSuccess: (fresh) => cache.setQueryData(query.queryKey, fresh),
    meta: { refused: 'Spreadsheet not read' },
  })
  if (!report) return null
  if (report.state === 'failed')
    return (
      <div data-no-open className="mt-3 cursor-auto">
        <InlineError
          title="The spreadsheet could not be read"
          message={report.error ?? undefined}
          retrying={repeat.isPending}
          onRetry={() => repeat.mutate()}
        />
      </div>
    )
  if (report.state === 'waiting')
    return (
      <p role="status" className="mt-3 flex items-center gap-2 text-ink-2">
        <Spinner size={14} /> Reading the spreadsheet
      </p>
    )
  if (report.state === 'held' && report.held !== null)
    return <HeldSheetCard postId={postId} version={version} found={report.found} held={report.held} />
  // Imported before summaries existed, without faults: nothing to show.
  if (report.found > 0 && report.faults.length === 0 && report.summary === null) return null
  return <Listed report={report} repeating={repeat.isPending} onRepeat={() => repeat.mutate()} />
}

interface ListedProps {
  report: SheetReport
  repeating: boolean
  onRepeat: () => void
}

function Listed({ report: { found, faults, summary, changes }, repeating, onRepeat }: ListedProps) {
  const tone = faults.length > 0 ? 'bg-warning-soft text-warning-ink' : 'bg-sunken text-ink-2'
  return (
    <details data-no-open className={`group mt-3 cursor-auto rounded-md px-3 py-2 ${tone}`}>
      <summary className="flex cursor-pointer list-none items-center gap-2">
        <FileSpreadsheet size={16} aria-hidden="true" />
        <span className="num flex-1">
          {plural(found, 'vehicle')} listed{findingsLine({ faults, summary })}
        </span>
        <ChevronDown size={16} className="group-open:rotate-180" aria-hidden="true" />
      </summary>
      <div className="mt-2 grid gap-2">
        {changes ? (
          <>
            <p className="num text-xs font-semibold">Last reading: {changesLine(changes)}</p>
            <SheetChangesList changes={changes} />
          </>
        ) : null}
        <SheetFindings faults={faults} summary={summary} />
        <div>
          <Button size="sm" icon={<RotateCw size={14} />} busy={repeating} onClick={onRepeat}>
            Read again
          </Button>
        </div>
      </div>
    </details>
  )
}
