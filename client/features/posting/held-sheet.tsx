import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '#client/lib/http/api.ts'
import { Button } from '#client/ui/button.tsx'
import { plural } from '#client/ui/format.ts'
import type { HeldSheet, SheetReport } from '#shared/schemas/posting.ts'
import { sheetQuery } from './posting.api.ts'
import { changesLine, SheetChangesList } from './sheet-changes.tsx'
import { SheetContents } from './sheet-contents.tsx'
import { findingsLine } from './spreadsheet-findings.tsx'

interface HeldSheetCardProps {
  postId: string
  version: number
  /** Vehicles that the post lists now. */
  found: number
  held: HeldSheet
}

/** Asks the owner to approve an import that would lose many vehicles or prices, or that nobody has reviewed yet. */
export function HeldSheetCard({ postId, version, found, held }: HeldSheetCardProps) {
  const { changes } = held
  const decide = useDecision(postId, version, held.id)
  return (
    <section
      aria-label="Spreadsheet to confirm"
      data-no-open
      className="mt-3 grid cursor-auto gap-2 rounded-md bg-warning-soft px-3 py-2"
    >
      <h3 className="font-semibold text-warning-ink">
        {changes === null
          ? 'Check your spreadsheet before its vehicles are listed'
          : 'Confirm the new version of your spreadsheet'}
      </h3>
      <p className="num">
        {changes === null
          ? `${plural(held.found, 'vehicle')} found${findingsLine(held)}. Nothing is listed yet.`
          : `${changesLine(changes)}. Your post still lists the ${plural(found, 'vehicle')} of the version before.`}
      </p>
      {changes === null ? null : <SheetChangesList changes={changes} />}
      <details>
        <summary className="min-h-6 cursor-pointer text-xs font-semibold touch:min-h-11">
          {changes === null ? 'Show the vehicles' : `Show the new version: ${plural(held.found, 'vehicle')}`}
        </summary>
        <div className="mt-2 grid gap-2">
          <SheetContents {...held} />
        </div>
      </details>
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" busy={decide.isPending} onClick={() => decide.mutate(true)}>
          Publish {plural(held.found, 'vehicle')}
        </Button>
        <Button disabled={decide.isPending} onClick={() => decide.mutate(false)}>
          {changes === null ? 'Do not publish' : 'Keep the current version'}
        </Button>
      </div>
    </section>
  )
}

function useDecision(postId: string, version: number, heldId: string) {
  const cache = useQueryClient()
  const { queryKey } = sheetQuery(postId, version)
  return useMutation({
    mutationFn: (publish: boolean): Promise<SheetReport> =>
      call(`/api/inventory/${postId}/sheet/decision`, { method: 'POST', body: { heldId, publish } }),
    onSuccess: (report) => cache.setQueryData(queryKey, report),
    // Another tab may have decided, or a newer import may have replaced this one.
    onError: () => cache.invalidateQueries({ queryKey }),
    meta: { refused: 'Spreadsheet not changed' },
  })
}
