import { photosPerPost } from '#shared/limits.ts'
import type { DemoPost } from '../network-posts.ts'
import type { BodyStyle } from './body-shapes.ts'

const angles = ['side', 'front', 'rear', 'wheel'] as const
export type Angle = (typeof angles)[number]

/** A picture to draw: a vehicle of a style and paint from an angle, or a dashboard. Equal pictures have equal keys. */
export type Drawing =
  | { key: string; kind: 'vehicle'; body: BodyStyle; paintIndex: number; angle: Angle }
  | { key: string; kind: 'dash'; miles: number }

export interface PlannedPhoto {
  postId: string
  vehicleId: string
  position: number
  drawing: Drawing
}

/** Dashboards show the vehicle's own mileage and cannot be shared, so only so many posts get one. */
const dashes = 60

/** Photos of every post, the cover first: four angles of a single vehicle, one picture of each in a package. */
export function planPhotos(posts: readonly DemoPost[]): PlannedPhoto[] {
  let dashesLeft = dashes
  return posts.flatMap((post) => {
    const [first] = post.vehicles
    if (!first) return []
    const shots: { vehicleId: string; drawing: Drawing }[] = []
    if (post.vehicles.length === 1) {
      for (const angle of angles)
        shots.push({ vehicleId: first.id, drawing: vehicleDrawing(first.body, first.paintIndex, angle) })
      if (dashesLeft-- > 0)
        shots.push({
          vehicleId: first.id,
          drawing: { key: `dash-${first.mileage}`, kind: 'dash', miles: first.mileage },
        })
    } else {
      for (const { id, body, paintIndex } of post.vehicles)
        shots.push({ vehicleId: id, drawing: vehicleDrawing(body, paintIndex, 'side') })
      for (const { id, body, paintIndex } of post.vehicles)
        shots.push({ vehicleId: id, drawing: vehicleDrawing(body, paintIndex, 'front') })
    }
    // Two white pickups of one package look alike: the picture is shown once.
    const different = new Map(shots.map((shot) => [shot.drawing.key, shot]))
    return [...different.values()]
      .slice(0, photosPerPost)
      .map((shot, position) => ({ postId: post.id, position, ...shot }))
  })
}

function vehicleDrawing(body: BodyStyle, paintIndex: number, angle: Angle): Drawing {
  return { key: `${body}-${paintIndex}-${angle}`, kind: 'vehicle', body, paintIndex, angle }
}
