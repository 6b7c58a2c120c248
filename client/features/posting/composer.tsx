import Car from 'lucide-react/icons/car'
import { type FormEvent, type ReactNode } from 'react'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { Avatar } from '#client/ui/avatar.tsx'
import { Button } from '#client/ui/button.tsx'
import { formatPlace, formatVehicle } from '#client/ui/format.ts'
import { Input } from '#client/ui/input.tsx'
import { Picture } from '#client/ui/picture.tsx'
import { Textarea } from '#client/ui/textarea.tsx'
import { toast } from '#client/ui/toast-store.ts'
import { descriptionMax, titleMax, vehiclesPerPost } from '#shared/limits.ts'
import { mentionsAuction } from '#shared/auction-rules.ts'
import { composerFacilitators } from '#shared/facilitators.ts'
import { AuctionFields } from './auction-fields.tsx'
import {
  type ComposerSheet,
  SheetButton,
  sheetNotAttached,
  SheetPreview,
  useComposerSheet,
} from './composer-spreadsheet.tsx'
import { ComposerVehicleCard, vehicleToAdd } from './composer-vehicle-card.tsx'
import { FacilitatorSelect } from './post-text-fields.tsx'
import { PhotoStrip } from './photos/photo-strip.tsx'
import { PickPhotos } from './photos/pick-photos.tsx'
import { placeOf, type PostDraft } from './post-draft.ts'
import { type NewPostState, useNewPost } from './use-post-draft.ts'
import { type VehicleDraft, vehicleFacts } from './vehicle-draft.ts'

interface ComposerProps {
  /** Renders the post title in the top bar. On screens narrower than 768 px, the composer shows the title instead. */
  renderTitle: (title: ReactNode) => ReactNode
  onPosted: () => void
}

export function Composer({ renderTitle, onPosted }: ComposerProps) {
  const state = useNewPost('composer', onPosted)
  const dealer = useCurrentDealer()
  const place = placeOf(dealer)
  const sheet = useComposerSheet(place)
  const { draft, change, changeVehicle, photos, submit, faults } = state
  const { adding } = draft
  /** The composer has no tabs: the number of vehicles determines the post type. */
  const setVehicles = (vehicles: readonly VehicleDraft[]) =>
    change({ vehicles, type: vehicles.length > 1 ? 'multiple' : 'single' })
  const closeCard = () => change({ adding: undefined })
  const title = (
    <Input
      size="lg"
      aria-label="Post title"
      aria-invalid={(faults.includes('title') && draft.title.trim() === '') || undefined}
      placeholder="Post title"
      maxLength={titleMax}
      value={draft.title}
      onChange={(event) => change({ title: event.target.value })}
    />
  )
  return (
    <form
      aria-label="New post"
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        if (sheet.isWaiting) toast(sheetNotAttached)
        else void submit()
      }}
      className="mb-4 rounded-md border border-line bg-surface shadow-1 max-md:rounded-none max-md:border-x-0"
    >
      {renderTitle(title)}
      <div className="flex gap-3 p-4">
        <span className="max-md:hidden">
          <Avatar name={dealer.name} src={dealer.avatar} />
        </span>
        <div className="grid min-w-0 flex-1 gap-3">
          <div className="md:hidden">{title}</div>
          <Textarea
            aria-label="What are you offering?"
            placeholder="What are you offering?"
            maxLength={descriptionMax}
            value={draft.description}
            onChange={(event) => change({ description: event.target.value })}
          />
          {mentionsAuction(draft) ? (
            <AuctionFields
              draft={draft.auction}
              strict={faults.includes('auction')}
              vehicles={draft.vehicles.length}
              onChange={(edit) => change({ auction: { ...draft.auction, ...edit } })}
            />
          ) : null}
          <PhotoStrip photos={photos} vehicles={stripVehicles(draft)} />
        </div>
      </div>
      <AttachedVehicles
        state={state}
        onRemove={(key) => {
          photos.queue.removeVehicle(key)
          setVehicles(draft.vehicles.filter((vehicle) => vehicle.key !== key))
        }}
      />
      <SheetPreview
        sheet={sheet}
        room={vehiclesPerPost - draft.vehicles.length}
        onAttach={(vehicles) => setVehicles([...draft.vehicles, ...vehicles])}
      />
      {adding ? (
        <ComposerVehicleCard
          vehicle={adding}
          photos={photos}
          onEdit={changeVehicle}
          onClose={() => {
            photos.queue.removeVehicle(adding.key)
            closeCard()
          }}
          onAdd={() => {
            setVehicles([...draft.vehicles, adding])
            closeCard()
          }}
        />
      ) : null}
      <ComposerActions state={state} sheet={sheet} place={place} />
    </form>
  )
}

interface ComposerActionsProps {
  state: NewPostState
  sheet: ComposerSheet
  place: { city: string; state: string }
}

function ComposerActions({ state: { draft, change, photos, pending }, sheet, place }: ComposerActionsProps) {
  return (
    <div className="flex flex-wrap items-center gap-1 border-t border-line p-2">
      <PickPhotos label="Photos" variant="ghost" onFiles={(files) => photos.add(files)}>
        <span className="num">
          Add Photos ({photos.count}/{photos.limit})
        </span>
      </PickPhotos>
      <SheetButton sheet={sheet} />
      <Button
        variant="ghost"
        icon={<Car size={16} />}
        aria-expanded={draft.adding !== undefined}
        disabled={draft.vehicles.length >= vehiclesPerPost}
        onClick={() => change({ adding: draft.adding ?? vehicleToAdd(draft.vehicles, place) })}
      >
        Add Vehicle
      </Button>
      <span className="ml-auto flex items-center gap-2 max-md:w-full max-md:px-2 max-md:pb-1">
        <FacilitatorSelect
          label="Auction facilitator"
          offered={composerFacilitators}
          value={draft.auctionFacilitator}
          onChange={(auctionFacilitator) => change({ auctionFacilitator })}
          className="md:w-44"
        />
        <Button type="submit" variant="primary" busy={pending}>
          {pending ? 'Posting...' : 'Post'}
        </Button>
      </span>
    </div>
  )
}

/** Returns the vehicles whose photos the strip shows, including the vehicle being added, because it may already have photos. */
const stripVehicles = ({ vehicles, adding }: PostDraft) =>
  [...vehicles, ...(adding ? [adding] : [])].map((vehicle) => ({
    key: vehicle.key,
    name: formatVehicle(vehicle) || 'New vehicle',
  }))

interface AttachedVehiclesProps {
  state: NewPostState
  onRemove: (key: string) => void
}

function AttachedVehicles({ state: { draft, photos }, onRemove }: AttachedVehiclesProps) {
  if (draft.vehicles.length === 0) return null
  return (
    <ul aria-label="Attached vehicles" className="border-t border-line">
      {draft.vehicles.map((vehicle) => {
        const cover = photos.list.find((photo) => photo.vehicle === vehicle.key)
        return (
          <li key={vehicle.key} className="flex items-center gap-3 px-4 py-2 not-first:border-t not-first:border-line">
            <span className="flex h-10 w-15 flex-none items-center justify-center overflow-hidden rounded-sm bg-pressed">
              {cover ? (
                <Picture src={cover.preview} alt="" className="size-full object-cover" />
              ) : (
                <Car size={18} className="text-ink-3" aria-hidden="true" />
              )}
            </span>
            <span className="min-w-0 flex-1">
              <span className="block truncate font-medium">{formatVehicle(vehicle)}</span>
              <span className="num block truncate text-xs text-ink-2">
                {vehicleFacts(
                  vehicle,
                  vehicle.atDealership ? 'At dealership' : vehicle.location || formatPlace(vehicle),
                )}
              </span>
            </span>
            <Button
              variant="danger-ghost"
              aria-label={`Remove ${formatVehicle(vehicle)}`}
              onClick={() => onRemove(vehicle.key)}
            >
              Remove
            </Button>
          </li>
        )
      })}
    </ul>
  )
}
