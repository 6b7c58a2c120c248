import { Lock, Plus } from 'lucide-react'
import { type FormEvent, useCallback, useEffect, useId, useRef, useState } from 'react'
import { useCurrentDealer } from '#client/lib/current-dealer.ts'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { Field } from '#client/ui/field.tsx'
import { Input } from '#client/ui/input.tsx'
import { Select } from '#client/ui/select.tsx'
import { Textarea } from '#client/ui/textarea.tsx'
import { toast } from '#client/ui/toast-store.ts'
import { speaksOfAuction } from '#shared/auction-rules.ts'
import { auctionFacilitators } from '#shared/facilitators.ts'
import { descriptionMax, photosPerPost, titleMax, vehiclesPerPost } from '#shared/limits.ts'
import { type PostDetail, vehicleStatuses } from '#shared/schemas/posts.ts'
import { editDraftOf, type EditedDraft, newEditedVehicle, toPatch } from './edit-draft.ts'
import { PhotoGrid } from './photo-grid.tsx'
import { keptPhotos } from './photo-queue.ts'
import { faultToasts, placeOf } from './post-draft.ts'
import { useSavePost } from './posting.api.ts'
import { usePhotoQueue } from './use-photo-queue.ts'
import { emptyVehicle, isComplete, type VehicleDraft } from './vehicle-draft.ts'
import { VehicleCard } from './vehicle-card.tsx'

const statusNames = { available: 'Available', pending: 'Pending', sold: 'Sold' } as const
const statusOptions = vehicleStatuses.map((value) => ({ value, label: statusNames[value] }))

/** Nothing that is on offer is left out: it is completed, or removed. */
const editFaults = {
  title: faultToasts.title,
  vehicles: { ...faultToasts.vehicles, description: 'Please complete every vehicle, or remove it' },
}

interface EditFormProps {
  post: PostDetail
  /** A bid stands on the post's auction: what was bid on stays. */
  bound: boolean
  onClose: () => void
}

/** Everything about a post that its seller can change. */
export function EditForm({ post, bound, onClose }: EditFormProps) {
  const formId = useId()
  const { draft, setDraft, photos, fault, pending, submit } = useEdit(post, bound, onClose)
  const known: readonly string[] = auctionFacilitators
  const facilitators =
    draft.auctionFacilitator && !known.includes(draft.auctionFacilitator) ? [draft.auctionFacilitator, ...known] : known
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Edit post"
      width="xl"
      flush
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" busy={pending}>
            {pending ? 'Saving...' : 'Save changes'}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        noValidate
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          void submit()
        }}
        className="md:grid md:h-[min(696px,calc(100dvh-170px))] md:grid-cols-[minmax(0,1fr)_336px]"
      >
        <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-4 overflow-y-auto px-6 py-4 max-md:px-4">
          {bound ? <BoundNote /> : null}
          <div className="grid gap-4 md:grid-cols-[minmax(0,1fr)_240px] md:gap-3">
            <Field label="Title" required error={fault === 'title' ? faultToasts.title.description : undefined}>
              <Input
                value={draft.title}
                disabled={bound}
                maxLength={titleMax}
                onChange={(event) => setDraft((current) => ({ ...current, title: event.target.value }))}
              />
            </Field>
            <Field label="Auction facilitator">
              <Select
                value={draft.auctionFacilitator}
                onChange={(auctionFacilitator) => setDraft((current) => ({ ...current, auctionFacilitator }))}
                options={facilitators.map((name) => ({ value: name, label: name }))}
                placeholder="Select facilitator"
              />
            </Field>
          </div>
          <Field label="Description" optional>
            <Textarea
              value={draft.description}
              maxLength={descriptionMax}
              onChange={(event) => setDraft((current) => ({ ...current, description: event.target.value }))}
            />
          </Field>
          {post.status === 'active' && !post.isAuction && speaksOfAuction(draft) ? (
            <p role="status" className="rounded-md bg-live-soft px-3 py-2 text-live-ink">
              Saving opens bidding on this post. Open offers on its vehicles end, and their buyers are told.
            </p>
          ) : null}
          {post.type === 'spreadsheet' || bound ? null : (
            <EditedVehicles
              vehicles={draft.vehicles}
              strict={fault === 'vehicles'}
              onChange={(change) => setDraft((current) => ({ ...current, vehicles: change(current.vehicles) }))}
            />
          )}
        </div>
        <section
          aria-label="Photos of the post"
          className="overflow-y-auto border-line bg-sunken px-5 py-4 max-md:border-t max-md:px-4 md:border-l"
        >
          <h3 className="mb-3 font-semibold">Photos</h3>
          <PhotoGrid photos={photos} fixed={bound ? post.photoUrls : []} />
        </section>
      </form>
    </Dialog>
  )
}

function BoundNote() {
  return (
    <p role="note" className="flex gap-2 rounded-md bg-warning-soft px-3 py-2 text-warning-ink">
      <Lock size={16} className="mt-0.5 flex-none" aria-hidden="true" />A bid stands on this auction, so its title,
      vehicles and photos stay as they are until it is decided. You can add photos and to the description.
    </p>
  )
}

function useEdit(post: PostDetail, bound: boolean, onClose: () => void) {
  const [draft, setDraft] = useState(() => editDraftOf(post))
  const [fault, setFault] = useState<'title' | 'vehicles'>()
  const [finishing, setFinishing] = useState(false)
  const photos = usePhotoQueue(
    post.photoUrls.map((url, index) => ({ name: `Photo ${index + 1}`, vehicle: undefined, url, ready: true })),
    photosPerPost,
  )
  const save = useSavePost(post.id)
  // What is typed while the last photos go up is saved, too.
  const latest = useRef(draft)
  useEffect(() => {
    latest.current = draft
  }, [draft])
  const submit = async () => {
    const incomplete = post.type !== 'spreadsheet' && !bound && !draft.vehicles.every(isSavable)
    const lacking = incomplete ? 'vehicles' : undefined
    const found = draft.title.trim() === '' ? 'title' : lacking
    setFault(found)
    if (found) return toast(editFaults[found])
    setFinishing(true)
    await photos.queue.settled()
    setFinishing(false)
    const urls = keptPhotos(photos.queue.snapshot()).map(({ url }) => url)
    save.mutate(toPatch(latest.current, post, urls, bound), { onSuccess: onClose })
  }
  return { draft, setDraft, photos, fault, pending: finishing || save.isPending, submit }
}

/** One from the composer needs vin, make and model only. */
function isSavable(vehicle: EditedDraft): boolean {
  const fromComposer = vehicle.kept.atDealership !== null
  return (
    isComplete(vehicle) || (fromComposer && [vehicle.vin, vehicle.make, vehicle.model].every((text) => text !== ''))
  )
}

interface EditedVehiclesProps {
  vehicles: readonly EditedDraft[]
  strict: boolean
  onChange: (change: (vehicles: readonly EditedDraft[]) => readonly EditedDraft[]) => void
}

function EditedVehicles({ vehicles, strict, onChange }: EditedVehiclesProps) {
  const place = placeOf(useCurrentDealer())
  const [open, setOpen] = useState(vehicles.length === 1 ? vehicles[0]?.key : undefined)
  const [change] = useState(() => onChange)
  const edit = useCallback(
    (key: string, apply: (vehicle: VehicleDraft) => VehicleDraft) =>
      change((current) =>
        current.map((vehicle) => (vehicle.key === key ? { ...vehicle, ...apply(vehicle) } : vehicle)),
      ),
    [change],
  )
  return (
    <>
      {vehicles.map((vehicle, index) => (
        <VehicleCard
          key={vehicle.key}
          vehicle={vehicle}
          title={`Vehicle ${index + 1}`}
          strict={strict}
          editing={vehicle.id !== undefined}
          leavesOut={false}
          onEdit={edit}
          folding={{
            open: open === vehicle.key || vehicle.id === undefined,
            onToggle: () => setOpen(open === vehicle.key ? undefined : vehicle.key),
            onRemove: () => onChange((current) => current.filter(({ key }) => key !== vehicle.key)),
          }}
        >
          <Select
            label={`Status of vehicle ${index + 1}`}
            prefix="Status:"
            value={vehicle.status}
            options={statusOptions}
            onChange={(value) => {
              const status = vehicleStatuses.find((one) => one === value)
              if (status)
                onChange((current) => current.map((one) => (one.key === vehicle.key ? { ...one, status } : one)))
            }}
            className="md:w-48"
          />
        </VehicleCard>
      ))}
      <div>
        <Button
          icon={<Plus size={16} />}
          disabled={vehicles.length >= vehiclesPerPost}
          onClick={() => onChange((current) => [...current, newEditedVehicle(emptyVehicle(place))])}
        >
          Add Vehicle
        </Button>
      </div>
    </>
  )
}
