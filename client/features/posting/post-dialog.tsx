import Plus from 'lucide-react/icons/plus'
import ScanBarcode from 'lucide-react/icons/scan-barcode'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { Button } from '#client/ui/button.tsx'
import { RestoredDraftNote } from '#client/ui/restored-draft-note.tsx'
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { Field } from '#client/ui/field.tsx'
import { useRefusal } from '#client/ui/form-state.ts'
import { Input } from '#client/ui/input.tsx'
import { isNarrow } from '#client/ui/screen-width.ts'
import { Tabs } from '#client/ui/tabs.tsx'
import { mentionsAuction } from '#shared/auction-rules.ts'
import { vehiclesPerPost } from '#shared/limits.ts'
import type { NewVehicle, PostDetail } from '#shared/schemas/posts.ts'
import { AuctionFields } from './auction-fields.tsx'
import { LinkPreview } from './link-preview.tsx'
import { PostTextFields } from './post-text-fields.tsx'
import { PhotoGrid } from './photos/photo-grid.tsx'
import { faultToasts, opensBidding, placeOf, type PostDraft, shownVehicles } from './post-draft.ts'
import type { UnsentPost } from './post-outbox.ts'
import { photoStatus, stillNeeded, vehicleStatus } from './post-status.ts'
import { useSharedPost } from './received-share/shared-post.ts'
import { type NewPostState, useNewPost } from './use-post-draft.ts'
import { VehicleCard } from './vehicle-card.tsx'
import { isComplete, newVehicle, nextVehicle, toNewVehicle, type VehicleDraft } from './vehicle-draft.ts'
import { storedScans } from './vin/vin-field.tsx'

const tabs = [
  { value: 'single', label: 'SINGLE VEHICLE' },
  { value: 'multiple', label: 'MULTIPLE VEHICLES' },
  { value: 'spreadsheet', label: 'SPREADSHEET' },
] as const

interface PostDialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  unsent?: UnsentPost
  /** Called with the published post, or with undefined if the post is stored until there is a connection. */
  onPosted?: (post: PostDetail | undefined) => void
  /** Renders the demand for the vehicle being typed, above its photos. */
  renderDemand?: (vehicle: NewVehicle, as: { hasPhotos: boolean; opensBidding: boolean }) => ReactNode
}

const keptNote = 'Your draft is saved in this browser. Open Post Inventory to continue.'
const unsentNote = "The post stays unchanged and will be sent when you're back online."

export function PostDialog({ open, onOpenChange, unsent, onPosted, renderDemand }: PostDialogProps) {
  const formId = useId()
  const focusWrong = useRefusal()
  const [asking, setAsking] = useState(false)
  const leave = (post: PostDetail | undefined) => {
    onOpenChange(false)
    onPosted?.(post)
  }
  const state = useNewPost('dialog', leave, unsent)
  const { draft, change, pending, submit, touched } = state
  const cards = useCards(state)
  const notes = useSharedPost(state.photos, unsent === undefined)
  // The dialog stays open while an edited unsent post is being sent. Otherwise, the outbox could send the old version.
  const stays = pending && unsent !== undefined
  const close = () => {
    if (touched && !pending) setAsking(true)
    else if (!stays) onOpenChange(false)
  }
  return (
    <>
      <Dialog
        open={open}
        onOpenChange={(next) => (next ? onOpenChange(true) : close())}
        unsaved={false}
        title="Post Inventory"
        width="xl"
        flush
        footer={
          <>
            <DraftStatus state={state} />
            <StillNeeded draft={draft} />
            <Button onClick={close} disabled={stays} className="max-md:flex-1">
              Cancel
            </Button>
            <Button type="submit" form={formId} variant="primary" busy={pending} className="max-md:flex-1">
              {pending ? 'Posting...' : 'Post Inventory'}
            </Button>
          </>
        }
      >
        <form
          id={formId}
          noValidate
          onSubmit={(event: FormEvent<HTMLFormElement>) => {
            event.preventDefault()
            focusWrong(event.currentTarget)
            void submit()
          }}
        >
          <Tabs
            label="What to post"
            caps
            value={draft.type}
            onChange={(type) => change({ type })}
            listClassName="px-6 max-md:px-4"
            tabs={tabs.map((tab) => ({
              ...tab,
              content: <DialogBody state={state} cards={cards} notes={notes} renderDemand={renderDemand} />,
            }))}
          />
        </form>
      </Dialog>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Close without posting?"
        description={unsent ? unsentNote : keptNote}
        confirmLabel="Close"
        cancelLabel="Keep editing"
        onConfirm={() => {
          setAsking(false)
          onOpenChange(false)
        }}
      />
    </>
  )
}

interface BodyProps {
  state: NewPostState
  cards: Cards
}

interface DialogBodyProps extends BodyProps {
  /** Messages about shared photos that were skipped. */
  notes: readonly string[]
  renderDemand: PostDialogProps['renderDemand'] | undefined
}

function DialogBody({ state, cards, notes, renderDemand }: DialogBodyProps) {
  const { photos, draft } = state
  const [first] = draft.vehicles
  const failed = photos.list.filter(({ state: is }) => is === 'failed')
  return (
    <div className="md:grid md:h-[min(41rem,calc(100dvh-13.125rem))] md:grid-cols-[minmax(0,1fr)_21rem]">
      <div className="overflow-y-auto px-6 py-4 max-md:px-4">
        <PostFields state={state} cards={cards} />
      </div>
      <section
        aria-label="Photos of the post"
        className="overflow-y-auto border-line bg-sunken px-5 py-4 max-md:border-t max-md:px-4 md:border-l"
      >
        {draft.type === 'single' && first
          ? renderDemand?.(toNewVehicle(first), {
              hasPhotos: photos.list.length > failed.length,
              opensBidding: opensBidding(draft),
            })
          : null}
        <div className="flex items-baseline justify-between">
          <h3 className="font-semibold">Photos</h3>
          <span className="num text-ink-2">
            {photos.count} of {photos.limit}
          </span>
        </div>
        <p className="mb-3 text-xs text-ink-2">PNG, JPG, GIF up to 10MB each</p>
        {notes.map((note) => (
          <p key={note} role="status" className="mb-3 rounded-md bg-warning-soft px-3 py-2 text-warning-ink">
            {note}
          </p>
        ))}
        <PhotoGrid photos={photos} />
        {failed.length > 0 ? (
          <div role="alert" className="mt-3 rounded-md bg-danger-soft px-3 py-2 text-danger-ink">
            <p className="font-semibold">Photo upload failed</p>
            {failed.map(({ id, name, reason }) => (
              <p key={id} className="text-ink-2">
                Failed to upload {name}
                {reason === undefined ? '' : `: ${reason}`}
              </p>
            ))}
          </div>
        ) : null}
      </section>
    </div>
  )
}

/** The vehicle comes before the title and description, because its VIN suggests the title. */
function PostFields({ state, cards }: BodyProps) {
  const { draft, change, faults } = state
  const isSheet = draft.type === 'spreadsheet'
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-4">
      {isSheet ? null : <Vehicles state={state} cards={cards} />}
      <PostTextFields draft={draft} change={change} faults={faults} />
      {mentionsAuction(draft) ? (
        <AuctionFields
          draft={draft.auction}
          strict={faults.includes('auction')}
          vehicles={shownVehicles(draft).length}
          unlisted={isSheet}
          onChange={(edit) => change({ auction: { ...draft.auction, ...edit } })}
        />
      ) : null}
      {isSheet ? (
        <>
          <Field
            label="Spreadsheet URL"
            required
            hint="The link must be publicly accessible."
            error={faults.includes('spreadsheetUrl') ? faultToasts.spreadsheetUrl.description : undefined}
          >
            <Input
              type="url"
              inputMode="url"
              placeholder="https://"
              value={draft.spreadsheetUrl}
              onChange={(event) => change({ spreadsheetUrl: event.target.value })}
            />
          </Field>
          <LinkPreview url={draft.spreadsheetUrl} onSeen={(sheetSeen) => change({ sheetSeen })} />
        </>
      ) : null}
    </div>
  )
}

function useCards({ draft, change, touched }: NewPostState) {
  const dealer = useCurrentDealer()
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set())
  const [scanned, setScanned] = useState(() =>
    !touched && isNarrow() && storedScans.read() === true ? draft.vehicles[0]?.key : undefined,
  )
  return {
    isUnfolded: (key: string) => unfolded.has(key),
    toggle: (key: string) =>
      setUnfolded((current) =>
        current.has(key) ? new Set([...current].filter((one) => one !== key)) : new Set([...current, key]),
      ),
    scanOf: (key: string) => ({ start: scanned === key, onEnd: () => setScanned(undefined) }),
    add: (scan: boolean) => {
      const vehicle = nextVehicle(draft.vehicles, placeOf(dealer))
      change({ type: 'multiple', vehicles: [...draft.vehicles, vehicle] })
      setUnfolded(new Set([vehicle.key]))
      if (scan) setScanned(vehicle.key)
    },
  }
}

type Cards = ReturnType<typeof useCards>

function Vehicles({ state, cards }: BodyProps) {
  const { draft, change, changeVehicle, photos, faults } = state
  const dealer = useCurrentDealer()
  const strict = faults.includes('vehicles')
  const [first] = draft.vehicles
  if (draft.type === 'single') {
    if (!first) return null
    return (
      <>
        <VehicleCard
          key={first.key}
          vehicle={first}
          photos={photos}
          title="Vehicle"
          strict={strict}
          scan={cards.scanOf(first.key)}
          onEdit={changeVehicle}
        />
        {isComplete(first) ? <ScanNext state={state} cards={cards} /> : null}
      </>
    )
  }
  return (
    <>
      {draft.vehicles.map((vehicle, index) => (
        <VehicleCard
          key={vehicle.key}
          vehicle={vehicle}
          photos={photos}
          title={`Vehicle ${index + 1}`}
          strict={strict}
          leavesOut={state.leavesOut}
          scan={cards.scanOf(vehicle.key)}
          onEdit={changeVehicle}
          folding={{
            open: cards.isUnfolded(vehicle.key) || !isComplete(vehicle),
            onToggle: () => cards.toggle(vehicle.key),
            onRemove: () => {
              photos.queue.removeVehicle(vehicle.key)
              change({ vehicles: withoutVehicle(draft.vehicles, vehicle.key, newVehicle(placeOf(dealer))) })
            },
          }}
        />
      ))}
      <div className="flex flex-wrap gap-2">
        <Button
          icon={<Plus size={16} />}
          onClick={() => cards.add(false)}
          disabled={draft.vehicles.length >= vehiclesPerPost}
        >
          Add Vehicle
        </Button>
        <ScanNext state={state} cards={cards} />
      </div>
    </>
  )
}

function ScanNext({ state: { draft }, cards }: BodyProps) {
  return (
    <div className="hidden max-md:block touch:block">
      <Button
        icon={<ScanBarcode size={18} />}
        onClick={() => cards.add(true)}
        disabled={draft.vehicles.length >= vehiclesPerPost}
      >
        Scan next VIN
      </Button>
    </div>
  )
}

function withoutVehicle(vehicles: readonly VehicleDraft[], key: string, fresh: VehicleDraft): VehicleDraft[] {
  const others = vehicles.filter((vehicle) => vehicle.key !== key)
  return others.length > 0 ? others : [fresh]
}

function DraftStatus({ state: { draft, photos, touched, wasKept, reset, leavesOut } }: { state: NewPostState }) {
  const parts = [vehicleStatus(draft, leavesOut), ...photoStatus(photos.list)].filter((part) => part !== '')
  return (
    <RestoredDraftNote
      shown={touched && wasKept}
      onStartOver={reset}
      className="num flex flex-wrap items-center gap-x-3 text-xs text-ink-2 max-md:w-full"
    >
      <span>{parts.join(', ')}</span>
    </RestoredDraftNote>
  )
}

function StillNeeded({ draft }: { draft: PostDraft }) {
  const needed = stillNeeded(draft)
  if (needed.length === 0) return null
  return (
    <p className="mr-2 text-right text-xs text-ink-2 max-md:w-full max-md:text-left">
      Still needed: {needed.join(', ')}
    </p>
  )
}
