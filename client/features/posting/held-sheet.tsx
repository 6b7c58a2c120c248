import RotateCw from 'lucide-react/icons/rotate-cw'
import { call } from '#client/lib/http/api.ts'
import { Button } from '#client/ui/button.tsx'
import { useEndAuctionQuestion } from '#client/ui/end-auction-question.tsx'
import { formatDateTime, plural } from '#client/ui/format.ts'
import type { HeldSheet } from '#shared/schemas/posting.ts'
import { useSheetChange } from './posting.api.ts'
import { changesLine, SheetChangesList } from './sheet-changes.tsx'
import { SheetContents } from './sheet-contents.tsx'
import { SheetCorrections } from './sheet-corrections.tsx'
import { findingsLine } from './spreadsheet-findings.tsx'

interface HeldSheetCardProps {
  postId: string
  version: number
  held: HeldSheet
  repeating: boolean
  /** Imports the spreadsheet again. Omitted if another button on the screen does this. */
  onRepeat?: (() => void) | undefined
}

/** Asks the owner to approve an import that would lose many vehicles, prices or VINs, or that nobody has reviewed yet. */
export function HeldSheetCard({ postId, version, held, repeating, onRepeat }: HeldSheetCardProps) {
  const { changes, readAt, isOtherThanPreview = false } = held
  const { decide, isBusy, question } = useDecision(postId, version, held.id)
  return (
    <section
      aria-label="Spreadsheet to confirm"
      data-no-open
      className="mt-3 grid cursor-auto gap-2 rounded-md bg-warning-soft px-3 py-2"
    >
      {question}
      <p className="font-semibold text-warning-ink">
        {changes === null
          ? 'Check your spreadsheet before its vehicles are listed'
          : 'Confirm the new version of your spreadsheet'}
      </p>
      <p className="num">
        {changes === null
          ? `${plural(held.found, 'vehicle')} found${findingsLine(held)}.${isOtherThanPreview ? ' The spreadsheet changed after your preview.' : ''} Nothing is listed yet.`
          : `${changesLine(changes)}. Your post still lists the previous version.`}
      </p>
      {readAt === undefined ? null : (
        <p className="num text-xs text-ink-2">
          Read <time dateTime={readAt}>{formatDateTime(readAt)}</time>
        </p>
      )}
      {changes === null ? null : <SheetChangesList changes={changes} />}
      <SheetCorrections postId={postId} version={version} summary={held.summary} />
      <details>
        <summary className="min-h-6 cursor-pointer text-xs font-semibold touch:min-h-11">
          {changes === null ? 'Show the vehicles' : `Show the new version: ${plural(held.found, 'vehicle')}`}
        </summary>
        <div className="mt-2 grid gap-2">
          <SheetContents {...held} />
        </div>
      </details>
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" busy={isBusy} disabled={repeating} onClick={() => decide(true)}>
          Publish {plural(held.found, 'vehicle')}
        </Button>
        <Button disabled={isBusy || repeating} onClick={() => decide(false)}>
          {changes === null ? 'Do not publish' : 'Keep the current version'}
        </Button>
        {onRepeat ? (
          <Button icon={<RotateCw size={16} />} busy={repeating} disabled={isBusy} onClick={onRepeat}>
            Read again
          </Button>
        ) : null}
      </div>
    </section>
  )
}

function useDecision(postId: string, version: number, heldId: string) {
  const { sendAsking, asking, question } = useEndAuctionQuestion()
  const { mutate, isPending } = useSheetChange(postId, version, {
    send: async (publish: boolean) => {
      const sent = await sendAsking((confirmation) =>
        call(`/api/inventory/${postId}/sheet/decision`, { method: 'POST', body: { heldId, publish, ...confirmation } }),
      )
      return sent?.answer
    },
    refused: 'Spreadsheet not changed',
  })
  return { decide: mutate, isBusy: isPending && !asking, question }
}
