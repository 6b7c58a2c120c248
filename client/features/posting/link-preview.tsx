import FileSpreadsheet from 'lucide-react/icons/file-spreadsheet'
import { reasonOf } from '#client/lib/http/api.ts'
import { Button } from '#client/ui/button.tsx'
import { plural } from '#client/ui/format.ts'
import { InlineError } from '#client/ui/inline-error.tsx'
import type { PostDraft } from './post-draft.ts'
import { SheetContents } from './sheet-contents.tsx'
import { findingsLine } from './spreadsheet-findings.tsx'
import { useSheetPreview } from './sheet-preview.ts'

interface LinkPreviewProps {
  url: string
  onSeen: (seen: NonNullable<PostDraft['sheetSeen']>) => void
}

export function LinkPreview({ url, onSeen }: LinkPreviewProps) {
  const { read, source, preview, columns } = useSheetPreview((from, { found, priced, withVin, vehiclesKey }) => {
    if ('url' in from) onSeen({ url: from.url, vehicles: found, prices: priced, vins: withVin, vehiclesKey })
  })
  const asked = url.trim()
  const isOfLink = read.variables !== undefined && 'url' in read.variables && read.variables.url === asked
  return (
    <section aria-label="Spreadsheet preview" className="grid gap-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Button
          icon={<FileSpreadsheet size={16} />}
          busy={read.isPending}
          disabled={asked === ''}
          onClick={() => read.mutate({ url: asked })}
        >
          {read.isPending ? 'Reading the spreadsheet' : 'Preview'}
        </Button>
        <p className="min-w-0 flex-1 text-xs text-ink-2">
          Without a preview, the vehicles wait on your post until you publish them.
        </p>
      </div>
      {read.isError && isOfLink ? (
        <InlineError title="The spreadsheet could not be read" message={reasonOf(read.error)} />
      ) : null}
      {preview && source && 'url' in source && source.url === asked ? (
        <div className="grid gap-2 rounded-md bg-sunken px-4 py-3">
          <div role="status">
            <h3 className="num font-semibold">
              {plural(preview.found, 'vehicle')} found{findingsLine(preview)}
            </h3>
          </div>
          <SheetContents {...preview} columns={columns} />
        </div>
      ) : null}
    </section>
  )
}
