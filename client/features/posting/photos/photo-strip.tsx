import { useState } from 'react'
import { Select } from '#client/ui/select.tsx'
import type { QueuedPhoto } from './photo-queue.ts'
import { PhotoTile } from './photo-grid.tsx'
import type { Photos } from './use-photo-queue.ts'

interface StripVehicle {
  key: string
  name: string
}

interface PhotoStripProps {
  photos: Photos
  vehicles: readonly StripVehicle[]
}

/** The option that assigns a photo to the post itself instead of a vehicle. */
const ofPost = 'post'

/** Shows all photos: the post's own first, then each vehicle's. The dealer can assign a photo to another vehicle. */
export function PhotoStrip({ photos: { list, queue }, vehicles }: PhotoStripProps) {
  const [dragged, setDragged] = useState<string>()
  const groups = [undefined, ...vehicles.map(({ key }) => key)].map((key) =>
    list.filter(({ vehicle }) => vehicle === key),
  )
  const shown = groups.flat()
  if (shown.length === 0) return null
  const options = [
    { value: ofPost, label: 'The post' },
    ...vehicles.map(({ key, name }) => ({ value: key, label: name })),
  ]
  const move = (id: string, target: QueuedPhoto | undefined) => target && queue.move(id, list.indexOf(target))
  const drop = (target: QueuedPhoto) => {
    if (dragged === undefined) return
    queue.assign(dragged, target.vehicle)
    move(dragged, target)
    setDragged(undefined)
  }
  return (
    <ul aria-label="Photos" className="grid grid-cols-2 gap-2 md:grid-cols-5">
      {groups.flatMap((group) =>
        group.map((photo, place) => {
          const index = shown.indexOf(photo)
          const before = group[place - 1]
          const after = group[place + 1]
          return (
            <li key={photo.id} className="grid grid-cols-[minmax(0,1fr)] content-start gap-1">
              <PhotoTile
                photo={photo}
                index={index}
                cover={index === 0}
                onEarlier={before && (() => move(photo.id, before))}
                onLater={after && (() => move(photo.id, after))}
                onRemove={() => queue.remove(photo.id)}
                onRetry={() => queue.retry(photo.id)}
                onDragStart={(event) => {
                  event.dataTransfer.effectAllowed = 'move'
                  setDragged(photo.id)
                }}
                onDropHere={() => drop(photo)}
              />
              {vehicles.length > 0 ? (
                <Select
                  label={`Photo ${index + 1} shows`}
                  value={photo.vehicle ?? ofPost}
                  options={options}
                  onChange={(vehicle) => queue.assign(photo.id, vehicle === ofPost ? undefined : vehicle)}
                  className="pl-2! text-xs"
                />
              ) : null}
            </li>
          )
        }),
      )}
    </ul>
  )
}
