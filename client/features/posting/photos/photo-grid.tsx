import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import CircleAlert from 'lucide-react/icons/circle-exclamation-point'
import ImagePlus from 'lucide-react/icons/image-plus'
import RotateCw from 'lucide-react/icons/rotate-cw'
import X from 'lucide-react/icons/x'
import { type DragEvent, type ReactNode, useState } from 'react'
import { Button } from '#client/ui/button.tsx'
import { cx } from '#client/ui/cx.ts'
import { FileDrop } from '#client/ui/file-drop.tsx'
import { Picture } from '#client/ui/picture.tsx'
import { Skeleton } from '#client/ui/skeleton.tsx'
import { Spinner } from '#client/ui/spinner.tsx'
import type { QueuedPhoto } from './photo-queue.ts'
import type { Photos } from './use-photo-queue.ts'

interface PhotoGridProps {
  photos: Photos
  vehicle?: string
  /** URLs of photos that the dealer cannot remove. */
  fixed?: readonly string[]
  adding?: boolean
  className?: string
}

export function PhotoGrid({ photos, vehicle, fixed, adding = true, className }: PhotoGridProps) {
  const [dragged, setDragged] = useState<string>()
  const shown = photos.list.filter((photo) => photo.vehicle === vehicle)
  const { queue } = photos
  /** `to` is an index among the photos shown here. The queue also contains photos of other vehicles. */
  const move = (id: string, to: number) => {
    const target = shown[to]
    if (target) queue.move(id, photos.list.indexOf(target))
  }
  if (shown.length === 0 && !adding) return null
  return (
    <ul
      aria-label={vehicle === undefined ? 'Photos' : 'Photos of this vehicle'}
      className={cx('grid grid-cols-2 gap-2', className)}
    >
      {shown.map((photo, index) => (
        <li key={photo.id}>
          <PhotoTile
            photo={photo}
            index={index}
            cover={index === 0 && vehicle === undefined}
            onEarlier={index > 0 ? () => move(photo.id, index - 1) : undefined}
            onLater={index < shown.length - 1 ? () => move(photo.id, index + 1) : undefined}
            onRemove={photo.url !== undefined && fixed?.includes(photo.url) ? undefined : () => queue.remove(photo.id)}
            onRetry={() => queue.retry(photo.id)}
            onDragStart={(event) => {
              event.dataTransfer.effectAllowed = 'move'
              setDragged(photo.id)
            }}
            onDropHere={() => {
              if (dragged) move(dragged, index)
              setDragged(undefined)
            }}
          />
        </li>
      ))}
      {adding ? (
        <li className="aspect-3/2">
          <FileDrop
            label={vehicle === undefined ? 'Add photos' : 'Add photos of this vehicle'}
            icon={<ImagePlus size={20} />}
            accept="image/*"
            multiple
            onFiles={(files) => photos.add(files, vehicle)}
            className="size-full text-xs"
          />
        </li>
      ) : null}
    </ul>
  )
}

interface PhotoTileProps {
  photo: QueuedPhoto
  index: number
  cover: boolean
  /** Undefined for the first photo. `onLater` is undefined for the last photo. */
  onEarlier: (() => void) | undefined
  onLater: (() => void) | undefined
  onRemove: (() => void) | undefined
  onRetry: () => void
  onDragStart: (event: DragEvent) => void
  onDropHere: () => void
}

export function PhotoTile(props: PhotoTileProps) {
  const { photo, index, cover, onDragStart, onDropHere } = props
  return (
    <div
      draggable={photo.state !== 'failed'}
      onDragStart={onDragStart}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        event.stopPropagation()
        onDropHere()
      }}
      className="group relative aspect-3/2 overflow-hidden rounded-md bg-pressed"
    >
      {photo.state === 'failed' ? (
        <FailedTile {...props} />
      ) : (
        <>
          {photo.state === 'processing' && !photo.preview.startsWith('blob:') ? (
            <Skeleton className="size-full" />
          ) : (
            <Picture
              src={photo.preview}
              alt={`${index + 1}: ${photo.name}`}
              draggable={false}
              className={cx('absolute inset-0 size-full object-cover', photo.state !== 'done' && 'opacity-40')}
            />
          )}
          {photo.state === 'held' ? <HeldTile {...props} /> : <TileProgress photo={photo} />}
          {cover ? (
            <span className="on-photo absolute bottom-1 left-1 rounded-sm px-2 text-xs leading-5 font-medium">
              Cover
            </span>
          ) : null}
          <TileActions {...props} />
        </>
      )}
    </div>
  )
}

function TileProgress({ photo }: { photo: QueuedPhoto }) {
  if (photo.state === 'done') return null
  if (photo.state === 'processing')
    return (
      <div
        role="progressbar"
        aria-label={`Processing ${photo.name}`}
        className="absolute inset-x-2 bottom-2 flex items-center gap-1 text-xs font-semibold text-ink"
      >
        <Spinner size={12} /> Processing
      </div>
    )
  const percent = Math.round(photo.progress * 100)
  return (
    <div
      role="progressbar"
      aria-label={`Uploading ${photo.name}`}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      className="num absolute inset-x-2 bottom-2 text-xs font-semibold text-ink"
    >
      {photo.state === 'waiting' ? 'Waiting' : `${percent}%`}
      <span className="mt-1 block h-1 overflow-hidden rounded-full bg-surface">
        <span className="block h-full bg-accent" style={{ width: `${percent}%` }} />
      </span>
    </div>
  )
}

function HeldTile({ photo, onRetry }: PhotoTileProps) {
  return (
    <div className="absolute inset-0 flex flex-col items-center justify-center gap-1 px-1 text-center text-xs font-semibold text-ink">
      Waiting for a connection
      <Button size="sm" icon={<RotateCw size={14} />} aria-label={`Retry ${photo.name}`} onClick={onRetry}>
        Retry
      </Button>
    </div>
  )
}

function FailedTile({ photo, onRetry, onRemove }: PhotoTileProps) {
  return (
    <div className="flex size-full flex-col items-center justify-center gap-1 rounded-md border border-danger bg-danger-soft p-1 text-danger-ink">
      <span className="flex max-w-full items-center gap-1 px-6 text-xs font-medium max-md:px-10" title={photo.name}>
        <CircleAlert size={14} className="flex-none" aria-hidden="true" />
        <span className="truncate">{photo.name}</span>
      </span>
      <span className="line-clamp-2 text-center text-xs text-ink-2">{photo.reason}</span>
      {photo.retriable ? (
        <Button size="sm" icon={<RotateCw size={14} />} aria-label={`Retry ${photo.name}`} onClick={onRetry}>
          Retry
        </Button>
      ) : null}
      {onRemove ? (
        <TileButton label={`Remove ${photo.name}`} onClick={onRemove} className="top-0 right-0">
          <X size={16} />
        </TileButton>
      ) : null}
    </div>
  )
}

function TileActions({ index, onEarlier, onLater, onRemove }: PhotoTileProps) {
  const quiet = 'opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 touch:opacity-100'
  return (
    <>
      {onRemove ? (
        <TileButton
          label={`Remove photo ${index + 1}`}
          onClick={onRemove}
          className="top-1 right-1 on-photo rounded-full"
        >
          <X size={16} />
        </TileButton>
      ) : null}
      {onEarlier ? (
        <TileButton
          label={`Move photo ${index + 1} earlier`}
          onClick={onEarlier}
          className={cx('right-9 bottom-1 on-photo rounded-md max-md:right-13', quiet)}
        >
          <ChevronLeft size={16} />
        </TileButton>
      ) : null}
      {onLater ? (
        <TileButton
          label={`Move photo ${index + 1} later`}
          onClick={onLater}
          className={cx('right-1 bottom-1 on-photo rounded-md', quiet)}
        >
          <ChevronRight size={16} />
        </TileButton>
      ) : null}
    </>
  )
}

function TileButton({
  label,
  onClick,
  className,
  children,
}: {
  label: string
  onClick: () => void
  className: string
  children: ReactNode
}) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={onClick}
      className={cx(
        'absolute inline-flex size-7 items-center justify-center transition-opacity max-md:size-11 touch:size-11',
        className,
      )}
    >
      {children}
    </button>
  )
}
