import { call } from '#client/lib/http/api.ts'
import { Button } from '#client/ui/button.tsx'
import type { SheetField, SheetSummary } from '#shared/schemas/posting.ts'
import { useSheetChange } from './posting.api.ts'
import { fieldLabels } from './sheet-columns.tsx'

interface SheetCorrectionsProps {
  postId: string
  version: number
  summary: SheetSummary | null
}

export function SheetCorrections({ postId, version, summary }: SheetCorrectionsProps) {
  const forget = useSheetChange(postId, version, {
    send: () => call(`/api/inventory/${postId}/sheet/columns`, { method: 'DELETE' }),
    refused: 'Corrections not removed',
  })
  const chosen = Object.entries(summary?.chosen ?? {}) as [SheetField, string | null][]
  if (chosen.length === 0) return null
  return (
    <div className="grid justify-items-start gap-1 text-xs">
      <p className="font-semibold">Your column corrections</p>
      <ul aria-label="Your column corrections" className="text-ink-2">
        {chosen.map(([field, name]) => (
          <li key={field} className="break-words">
            {name === null ? `${fieldLabels[field]}: no column` : `${fieldLabels[field]}: column ${name}`}
          </li>
        ))}
      </ul>
      <Button size="sm" busy={forget.isPending} onClick={() => forget.mutate()}>
        Remove them and read again
      </Button>
    </div>
  )
}
