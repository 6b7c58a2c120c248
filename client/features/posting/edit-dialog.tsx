import { useQuery } from '@tanstack/react-query'
import Lock from 'lucide-react/icons/lock'
import Plus from 'lucide-react/icons/plus'
import { type FormEvent, useId, useRef, useState } from 'react'
import { useSearchParams } from 'wouter'
import { isNotFound, reasonOf } from '#client/lib/http/api.ts'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { useRefusal } from '#client/ui/form-state.ts'
import { InlineError } from '#client/ui/inline-error.tsx'
import { Select } from '#client/ui/select.tsx'
import { Loading, Skeleton } from '#client/ui/skeleton.tsx'
import { mentionsAuction } from '#shared/auction-rules.ts'
import { photosPerPost, vehiclesPerPost } from '#shared/limits.ts'
import { vehicleStatuses } from '#shared/constants/posts.ts'
import type { PostDetail } from '#shared/schemas/posts.ts'
import { AuctionFields } from './auction-fields.tsx'
import { PostTextFields } from './post-text-fields.tsx'
import { PhotoGrid } from './photos/photo-grid.tsx'
import { isUploading } from './photos/photo-queue.ts'
import { draftOfPost, placeOf, toPatch } from './post-draft.ts'
import { editQuery, useSavePost } from './posting.api.ts'
import { usePostDraft } from './use-post-draft.ts'
import { VehicleCard } from './vehicle-card.tsx'
import { nextVehicle } from './vehicle-draft.ts'

const statusNames = { available: 'Available', pending: 'Pending', sold: 'Sold' } as const
const statusOptions = vehicleStatuses.map((value) => ({ value, label: statusNames[value] }))

/** Explains why the post cannot be edited. `error` is null if the post exists but belongs to another dealer. */
function whyNotEditable(error: Error | null): string {
  if (error === null) return 'Only the seller can edit it.'
  return isNotFound(error) ? 'It may have been removed, or the address may be wrong.' : reasonOf(error)
}

/** Opens over any page whose URL has `edit=<post id>`, if the dealer is the seller. `bound` is true if the post's auction has a bid. */
export function EditDialog({ bound }: { bound: boolean }) {
  const [params, setParams] = useSearchParams()
  const postId = params.get('edit') ?? ''
  const dealer = useCurrentDealer()
  const { data: post, error, refetch, isFetching } = useQuery({ ...editQuery(postId), enabled: postId !== '' })
  /** Replaces the history entry, so that Back does not reopen the dialog. */
  const close = () =>
    setParams(
      (current) => {
        const wanted = new URLSearchParams(current)
        wanted.delete('edit')
        return wanted
      },
      { replace: true },
    )
  if (postId === '') return null
  if (post?.dealer.id === dealer.id) return <EditForm key={post.id} post={post} bound={bound} onClose={close} />
  return (
    <Dialog open onOpenChange={close} title="Edit post">
      {error || post ? (
        <InlineError
          title="This post cannot be edited"
          message={whyNotEditable(error)}
          {...(error && !isNotFound(error) && { onRetry: () => void refetch(), retrying: isFetching })}
        />
      ) : (
        <Loading label="Loading the post">
          <Skeleton className="h-40" />
        </Loading>
      )}
    </Dialog>
  )
}

interface EditFormProps {
  post: PostDetail
  bound: boolean
  onClose: () => void
}

/** `lot` is the id of the auctioned vehicle if it has bids. The seller cannot edit that vehicle here. */
function vehiclesOf({ type, vehicles }: PostDetail, bound: boolean) {
  const isListed = type !== 'spreadsheet'
  const hasOthers = isListed && vehicles.length > 1
  return { lot: bound ? vehicles[0]?.id : undefined, hasOthers, isEdited: bound ? hasOthers : isListed }
}

export function EditForm({ post, bound, onClose }: EditFormProps) {
  const formId = useId()
  const focusWrong = useRefusal()
  const state = useEdit(post, bound, onClose)
  const { draft, change, photos, faults, pending, unsaved, submit, giveUp, question } = state
  const { lot, hasOthers, isEdited } = vehiclesOf(post, bound)
  return (
    <Dialog
      open
      onOpenChange={giveUp}
      unsaved={unsaved}
      title="Edit post"
      width="xl"
      flush
      footer={
        <>
          <Button onClick={giveUp}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" busy={pending}>
            {pending ? 'Saving...' : 'Save changes'}
          </Button>
        </>
      }
    >
      {question}
      <form
        id={formId}
        noValidate
        onSubmit={(event: FormEvent<HTMLFormElement>) => {
          event.preventDefault()
          focusWrong(event.currentTarget)
          void submit()
        }}
        className="md:grid md:h-[min(43.5rem,calc(100dvh-10.625rem))] md:grid-cols-[minmax(0,1fr)_21rem]"
      >
        <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-4 overflow-y-auto px-6 py-4 max-md:px-4">
          {bound ? <BoundNote others={hasOthers} /> : null}
          <PostTextFields draft={draft} change={change} faults={faults} bound={bound} />
          {post.status === 'active' && !post.hasAuction && mentionsAuction(draft) ? (
            <AuctionFields
              draft={draft.auction}
              strict={faults.includes('auction')}
              vehicles={draft.vehicles.length}
              unlisted={post.type === 'spreadsheet' && post.vehicles.length === 0}
              opening="Saving opens bidding on this post. Open offers on the auctioned vehicle end, and their buyers are notified."
              onChange={(edit) => change({ auction: { ...draft.auction, ...edit } })}
            />
          ) : null}
          {isEdited ? <EditedVehicles state={state} lot={lot} /> : null}
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

function BoundNote({ others }: { others: boolean }) {
  return (
    <p role="note" className="flex gap-2 rounded-md bg-warning-soft px-3 py-2 text-warning-ink">
      <Lock size={16} className="mt-0.5 flex-none" aria-hidden="true" />
      {`This auction has a bid, so its title, photos and vehicle cannot be changed until the auction is decided. You can add photos and extend the description${others ? ', and edit or remove the other vehicles' : ''}.`}
    </p>
  )
}

function useEdit(post: PostDetail, bound: boolean, onClose: () => void) {
  // Compare with the post as it was when the form opened, so that saving does not overwrite changes from other tabs.
  const [opened] = useState(post)
  const form = usePostDraft({ start: () => draftOfPost(opened), photoLimit: photosPerPost, editing: { bound } })
  const { draft, change, changeVehicle, photos, faults } = form
  const save = useSavePost(post.id)
  const isGivenUp = useRef(false)
  const giveUp = () => {
    isGivenUp.current = true
    onClose()
  }
  const submit = () =>
    form.submit((ready) => {
      if (isGivenUp.current) return
      const patch = toPatch(ready, opened, { bound })
      if (Object.keys(patch).length === 0) onClose()
      else save.mutate(patch, { onSuccess: (sent) => sent && onClose() })
    })
  const pending = form.isSending || save.isPending
  // Photos that are still uploading count as changes, although they are not in the draft yet.
  const isChanged = photos.list.some(isUploading) || Object.keys(toPatch(draft, opened, { bound })).length > 0
  const unsaved = isChanged && !save.isPending
  return { draft, change, changeVehicle, photos, faults, pending, unsaved, submit, giveUp, question: save.question }
}

type EditState = ReturnType<typeof useEdit>

interface EditedVehiclesProps {
  state: EditState
  lot: string | undefined
}

function EditedVehicles({ state: { draft, change, changeVehicle, photos, faults }, lot }: EditedVehiclesProps) {
  const { vehicles } = draft
  const place = placeOf(useCurrentDealer())
  const [open, setOpen] = useState(vehicles.length === 1 ? vehicles[0]?.key : undefined)
  return (
    <>
      <p className="text-xs text-ink-2">
        {`Open offers on a vehicle end when its VIN, year, make, model, trim or mileage changes${lot === undefined ? ', and so do preset maximums for an auction' : ''}. We'll notify the buyers.`}
      </p>
      {vehicles.map((vehicle, index) =>
        vehicle.key === lot ? null : (
          <VehicleCard
            key={vehicle.key}
            vehicle={vehicle}
            photos={photos}
            title={`Vehicle ${index + 1}`}
            strict={faults.includes('vehicles')}
            leavesOut={false}
            onEdit={changeVehicle}
            folding={{
              open: open === vehicle.key || vehicle.id === undefined,
              onToggle: () => setOpen(open === vehicle.key ? undefined : vehicle.key),
              onRemove: () => {
                photos.queue.removeVehicle(vehicle.key)
                change({ vehicles: vehicles.filter(({ key }) => key !== vehicle.key) })
              },
            }}
          >
            <Select
              label={`Status of vehicle ${index + 1}`}
              prefix="Status:"
              value={vehicle.status}
              options={statusOptions}
              onChange={(status) => changeVehicle(vehicle.key, (current) => ({ ...current, status }))}
              className="md:w-48"
            />
          </VehicleCard>
        ),
      )}
      {lot === undefined ? (
        <div>
          <Button
            icon={<Plus size={16} />}
            disabled={vehicles.length >= vehiclesPerPost}
            onClick={() => change({ vehicles: [...vehicles, nextVehicle(vehicles, place)] })}
          >
            Add Vehicle
          </Button>
        </div>
      ) : null}
    </>
  )
}
