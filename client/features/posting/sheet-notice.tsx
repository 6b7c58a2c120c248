import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ChevronDown, FileSpreadsheet } from 'lucide-react'
import { call } from '#client/lib/api.ts'
import { plural } from '#client/ui/format.ts'
import { InlineError } from '#client/ui/inline-error.tsx'
import { Spinner } from '#client/ui/spinner.tsx'
import type { SheetReport } from '#shared/schemas/posting.ts'
import { sheetQuery } from './posting.api.ts'

/** Tells the seller what was read from a spreadsheet's link: vehicles, skipped rows, or the error. */
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
  return report.faults.length > 0 ? <LeftOut report={report} /> : null
}

function LeftOut({ report: { found, faults } }: { report: SheetReport }) {
  return (
    <details data-no-open className="group mt-3 cursor-auto rounded-md bg-warning-soft px-3 py-2 text-warning-ink">
      <summary className="flex cursor-pointer list-none items-center gap-2">
        <FileSpreadsheet size={16} aria-hidden="true" />
        <span className="num flex-1">
          {plural(found, 'vehicle')} listed, {plural(faults.length, 'row')} left out
        </span>
        <ChevronDown size={16} className="group-open:rotate-180" aria-hidden="true" />
      </summary>
      <ul className="num mt-2 max-h-40 overflow-y-auto text-ink-2">
        {faults.map(({ row, message }) => (
          <li key={row}>
            Row {row}: {message}
          </li>
        ))}
      </ul>
    </details>
  )
}
