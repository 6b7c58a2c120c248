import FileSpreadsheet from 'lucide-react/icons/file-spreadsheet'
import X from 'lucide-react/icons/x'
import { useRef } from 'react'
import { reasonOf } from '#client/lib/http/api.ts'
import { Button } from '#client/ui/button.tsx'
import { plural } from '#client/ui/format.ts'
import { IconButton } from '#client/ui/icon-button.tsx'
import type { ToastInput } from '#client/ui/toast-store.ts'
import { InlineError } from '#client/ui/inline-error.tsx'
import { Spinner } from '#client/ui/spinner.tsx'
import { SheetContents } from './sheet-contents.tsx'
import { findingsLine } from './spreadsheet-findings.tsx'
import { useSheetPreview } from './sheet-preview.ts'
import { canBePosted, toNewVehicle, type VehicleDraft, vehicleOfRow } from './vehicle-draft.ts'

export function useComposerSheet(place: { city: string; state: string }) {
  const { read, preview, columns } = useSheetPreview()
  const all = preview?.vehicles.map((vehicle) => vehicleOfRow(vehicle, place)) ?? []
  const vehicles = all.filter(canBePosted)
  // The server also reads rows without a VIN, but a composer vehicle needs a VIN.
  const incomplete = all.length - vehicles.length
  /** True while the file is read, and while it has vehicles that can be attached. */
  const isWaiting = read.isPending || (read.isSuccess && vehicles.length > 0)
  return { read, preview, columns, vehicles, incomplete, isWaiting }
}

/** Shown if the dealer presses Post while a spreadsheet is being read or shown, because its vehicles are not attached yet. */
export const sheetNotAttached: ToastInput = {
  title: 'Spreadsheet not attached',
  description: 'Attach its vehicles to include them in the post, or close its preview',
  variant: 'destructive',
}

export type ComposerSheet = ReturnType<typeof useComposerSheet>

export function SheetButton({ sheet: { read } }: { sheet: ComposerSheet }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        accept=".csv,.xlsx,text/csv"
        hidden
        aria-label="Spreadsheet file"
        onChange={(event) => {
          const [file] = event.target.files ?? []
          if (file) read.mutate(file)
          event.target.value = ''
        }}
      />
      <Button
        variant="ghost"
        icon={<FileSpreadsheet size={16} />}
        busy={read.isPending}
        onClick={() => input.current?.click()}
      >
        Spreadsheet
      </Button>
    </>
  )
}

interface SheetPreviewProps {
  sheet: ComposerSheet
  room: number
  onAttach: (vehicles: VehicleDraft[]) => void
}

export function SheetPreview({
  sheet: { read, preview, columns, vehicles, incomplete },
  room,
  onAttach,
}: SheetPreviewProps) {
  if (read.isIdle) return null
  const taken = vehicles.slice(0, room)
  const close = <IconButton label="Close spreadsheet preview" icon={<X size={18} />} onClick={() => read.reset()} />
  return (
    <section aria-label="Spreadsheet preview" className="grid gap-2 border-t border-line bg-sunken px-4 py-3">
      {read.isPending ? (
        <div className="flex items-center justify-between gap-2">
          <p role="status" className="flex items-center gap-2 text-ink-2">
            <Spinner size={14} /> Reading the spreadsheet
          </p>
          {close}
        </div>
      ) : null}
      {read.isError ? (
        <div className="flex items-start gap-2">
          <div className="min-w-0 flex-1">
            <InlineError title="The spreadsheet could not be read" message={reasonOf(read.error)} />
          </div>
          {close}
        </div>
      ) : null}
      {read.isSuccess && preview ? (
        <>
          <div className="flex items-center justify-between gap-2">
            <h2 className="num font-semibold">
              {plural(vehicles.length, 'vehicle')} found{findingsLine(preview, incomplete)}
            </h2>
            {close}
          </div>
          {incomplete > 0 ? (
            <p className="num text-xs text-warning-ink">
              {plural(incomplete, 'row')} without a VIN, make or model cannot be attached
            </p>
          ) : null}
          <SheetContents
            {...preview}
            vehicles={vehicles.map((vehicle) => toNewVehicle(vehicle))}
            found={vehicles.length}
            columns={columns}
          />
          <div className="flex justify-end">
            <Button
              variant="primary"
              disabled={taken.length === 0}
              onClick={() => {
                onAttach(taken)
                read.reset()
              }}
            >
              Attach {plural(taken.length, 'vehicle')}
            </Button>
          </div>
        </>
      ) : null}
    </section>
  )
}
