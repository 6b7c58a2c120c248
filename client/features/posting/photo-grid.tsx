import { ImagePlus } from 'lucide-react'
import { useState } from 'react'
import { cx } from '#client/ui/cx.ts'
import { FileDrop } from '#client/ui/file-drop.tsx'
import { PhotoTile } from './photo-tile.tsx'
import type { Photos } from './use-photo-queue.ts'

interface PhotoGridProps {
  photos: Photos
  /** Only this vehicle's; without it the post's own. */
  vehicle?: string
  /** URLs of photos that cannot be removed. */
  fixed?: readonly string[]
  /** Draws the box that takes more. */
  adding?: boolean
  className?: string
}

/** The photos in their order: dragged, moved by buttons, removed, tried again. */
export function PhotoGrid({ photos, vehicle, fixed, adding = true, className }: PhotoGridProps) {
  const [dragged, setDragged] = useState<string>()
  const shown = photos.list.filter((photo) => photo.vehicle === vehicle)
  const { queue } = photos
  /** Places are among the shown ones; the queue counts all. */
  const move = (id: string, to: number) => {
    const target = shown[to]
    if (target) queue.move(id, photos.list.indexOf(target))
  }
  if (shown.length === 0 && !adding) return null
  return (
    <ul aria-label="Photos" className={cx('grid grid-cols-2 gap-2', className)}>
      {shown.map((photo, index) => (
        <PhotoTile
          key={photo.id}
          photo={photo}
          index={index}
          count={shown.length}
          cover={index === 0 && vehicle === undefined}
          onMove={(to) => move(photo.id, to)}
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
      ))}
      {adding ? (
        <li className="aspect-3/2">
          <FileDrop
            label="Add photos"
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
