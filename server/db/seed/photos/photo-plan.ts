import type { PictureAngle } from '#shared/schemas/uploads.ts'
import { photosPerPost } from '#shared/limits.ts'
import type { DemoPost, KnownVehicle } from '../network-posts.ts'
import type { View } from './body-mesh.ts'
import type { ShapeName } from './body-shapes.ts'
import { type Damage, damageIn, isPainted } from './damage-drawing.ts'
import type { Cabin } from './dash-drawing.ts'
import { shapeOf } from './shape-choice.ts'

/** A picture to draw. Drawings with the same key are identical, so they are drawn once. */
export type Drawing = { key: string; shows: PictureAngle } & (
  | { kind: 'vehicle'; shape: ShapeName; paintIndex: number; view: View }
  | { kind: 'cabin'; cabin: Cabin }
  | { kind: 'odometer'; miles: number }
  | { kind: 'damage'; damage: Damage; paintIndex: number }
)

export interface PlannedPhoto {
  postId: string
  vehicleId: string
  position: number
  drawing: Drawing
}

type Shot = Pick<PlannedPhoto, 'vehicleId' | 'drawing'>

/** Number of posts, from the newest, that show an odometer. It is low, because each reading needs its own picture. */
const odometers = 40

const views = ['front', 'side', 'rear'] as const

/** Plans each post's photos, front view first. A single vehicle gets all sides; in packages, each vehicle gets up to two photos. */
export function planPhotos(posts: readonly DemoPost[]): PlannedPhoto[] {
  let odometersLeft = odometers
  return posts.flatMap((post) => {
    const [first, ...others] = post.vehicles
    if (!first) return []
    const shots =
      others.length === 0 ? singleShots(first, post.description, odometersLeft-- > 0) : packageShots(post.vehicles)
    return shots.slice(0, photosPerPost).map((shot, position) => ({ postId: post.id, position, ...shot }))
  })
}

function singleShots(vehicle: KnownVehicle, description: string, withOdometer: boolean): Shot[] {
  const damage = damageIn(description)
  const drawings = [
    ...views.map((view) => viewOf(vehicle, view)),
    cabinOf(vehicle),
    ...(withOdometer ? [odometerOf(vehicle)] : []),
    ...(damage === undefined ? [] : [damageOf(vehicle, damage)]),
  ]
  return drawings.map((drawing) => ({ vehicleId: vehicle.id, drawing }))
}

/** Vehicles that look alike get different views, so that no picture appears twice in a post. */
function packageShots(vehicles: readonly KnownVehicle[]): Shot[] {
  const taken = new Set<string>()
  return [...vehicles, ...vehicles].flatMap((vehicle) => {
    const drawing = views.map((view) => viewOf(vehicle, view)).find(({ key }) => !taken.has(key))
    if (drawing === undefined) return []
    taken.add(drawing.key)
    return { vehicleId: vehicle.id, drawing }
  })
}

function viewOf(vehicle: KnownVehicle, view: View): Drawing {
  const { paintIndex } = vehicle
  const shape = shapeOf(vehicle)
  return { key: `${shape}-${paintIndex}-${view}`, shows: view, kind: 'vehicle', shape, paintIndex, view }
}

function cabinOf({ make, body }: KnownVehicle): Drawing {
  const usual = body === 'pickup' ? 'truck' : 'car'
  const cabin = make === 'Tesla' ? 'electric' : usual
  return { key: `cabin-${cabin}`, shows: 'dash', kind: 'cabin', cabin }
}

const odometerOf = ({ mileage }: KnownVehicle): Drawing => ({
  key: `odometer-${mileage}`,
  shows: 'odometer',
  kind: 'odometer',
  miles: mileage,
})

const damageOf = ({ paintIndex }: KnownVehicle, damage: Damage): Drawing => ({
  key: isPainted(damage) ? `${damage}-${paintIndex}` : damage,
  shows: 'damage',
  kind: 'damage',
  damage,
  paintIndex,
})
