import { useQuery } from '@tanstack/react-query'
import ChevronDown from 'lucide-react/icons/chevron-down'
import FileSpreadsheet from 'lucide-react/icons/file-spreadsheet'
import RotateCw from 'lucide-react/icons/rotate-cw'
import { call } from '#client/lib/http/api.ts'
import { Button } from '#client/ui/button.tsx'
import { plural } from '#client/ui/format.ts'
import { InlineError } from '#client/ui/inline-error.tsx'
import { QueryState } from '#client/ui/query-state.tsx'
import { Skeleton } from '#client/ui/skeleton.tsx'
import { Spinner } from '#client/ui/spinner.tsx'
import type { SheetReport } from '#shared/schemas/posting.ts'
import { HeldSheetCard } from './held-sheet.tsx'
import { sheetQuery, useSheetChange } from './posting.api.ts'
import { changesLine, SheetChangesList } from './sheet-changes.tsx'
import { SheetCorrections } from './sheet-corrections.tsx'
import { findingsLine, SheetFindings } from './spreadsheet-findings.tsx'

interface SheetNoticeProps {
  postId: string
  version: number
}

export function SheetNotice({ postId, version }: SheetNoticeProps) {
  const query = useQuery(sheetQuery(postId, version))
  const { data: report } = query
  if (report === undefined)
    return (
      <div data-no-open className="mt-3 cursor-auto">
        <QueryState
          query={query}
          label="Loading the spreadsheet report"
          failure="The spreadsheet report could not be loaded"
        >
          <Skeleton className="h-9" />
        </QueryState>
      </div>
    )
  return report === null ? null : <Report postId={postId} version={version} report={report} />
}

function Report({ postId, version, report }: SheetNoticeProps & { report: SheetReport }) {
  const { state, held, found, faults, summary } = report
  const repeat = useSheetChange(postId, version, {
    send: () => call(`/api/inventory/${postId}/sheet`, { method: 'POST' }),
    refused: 'Spreadsheet not read',
  })
  if (state === 'waiting')
    return (
      <p role="status" className="mt-3 flex items-center gap-2 text-ink-2">
        <Spinner size={14} /> Reading the spreadsheet
      </p>
    )
  const hasFailed = state === 'failed'
  const again = { repeating: repeat.isPending, onRepeat: hasFailed ? undefined : () => repeat.mutate() }
  // Render nothing for an import without errors that predates summaries.
  const isPlain = found > 0 && faults.length === 0 && summary === null
  const isNothing = hasFailed && found === 0
  return (
    <>
      {hasFailed ? (
        <div data-no-open className="mt-3 cursor-auto">
          <InlineError
            title="The spreadsheet could not be read"
            message={report.error ?? undefined}
            retrying={repeat.isPending}
            onRetry={() => repeat.mutate()}
          />
        </div>
      ) : null}
      {held ? <HeldSheetCard postId={postId} version={version} held={held} {...again} /> : null}
      {held || isPlain || isNothing ? null : <Listed postId={postId} version={version} report={report} {...again} />}
    </>
  )
}

interface ListedProps extends SheetNoticeProps {
  report: SheetReport
  repeating: boolean
  /** Imports the spreadsheet again. Undefined if another button on the screen does this. */
  onRepeat: (() => void) | undefined
}

function Listed({ postId, version, report: { found, faults, summary, changes }, repeating, onRepeat }: ListedProps) {
  const tone = faults.length > 0 ? 'bg-warning-soft text-warning-ink' : 'bg-sunken text-ink-2'
  return (
    <details data-no-open className={`group mt-3 cursor-auto rounded-md px-3 py-2 ${tone}`}>
      <summary className="flex cursor-pointer list-none items-center gap-2 touch:min-h-11">
        <FileSpreadsheet size={16} aria-hidden="true" />
        <span className="num flex-1">
          {found === 0 && summary === null ? 'No vehicles listed yet' : `${plural(found, 'vehicle')} listed`}
          {findingsLine({ faults, summary })}
        </span>
        <ChevronDown size={16} className="group-open:rotate-180" aria-hidden="true" />
      </summary>
      <div className="mt-2 grid gap-2">
        {changes ? (
          <>
            <p className="num text-xs font-semibold">Latest changes: {changesLine(changes)}</p>
            <SheetChangesList changes={changes} />
          </>
        ) : null}
        <SheetFindings faults={faults} summary={summary} />
        <SheetCorrections postId={postId} version={version} summary={summary} />
        {onRepeat ? (
          <div>
            <Button size="sm" icon={<RotateCw size={14} />} busy={repeating} onClick={onRepeat}>
              Read again
            </Button>
          </div>
        ) : null}
      </div>
    </details>
  )
}
