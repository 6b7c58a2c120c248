/** A point in centimeters. x runs from the front bumper to the rear, y from the middle to the right, and z from the ground up. */
export type Place = readonly [x: number, y: number, z: number]
export type Dot = readonly [x: number, y: number]

const minus = (a: Place, b: Place): Place => [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
const dot = (a: Place, b: Place): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
const cross = (a: Place, b: Place): Place => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
]

function unit(a: Place): Place {
  const length = Math.sqrt(dot(a, a)) || 1
  return [a[0] / length, a[1] / length, a[2] / length]
}

export interface Camera {
  project(place: Place): Dot
  /** How directly a face faces the camera, from -1 to 1. `normal` points out of the vehicle. */
  facing(place: Place, normal: Place): number
  distance(place: Place): number
  horizon: number
}

interface Shot {
  target: Place
  /** Angle around the vehicle: 0 is its left side, 90 its front, and -90 its rear. */
  degrees: number
  distance: number
  height: number
  scale: number
  middle: Dot
}

/** The camera is level, so vertical lines stay vertical. */
export function openCamera({ target, degrees, distance, height, scale, middle }: Shot): Camera {
  const angle = (degrees * Math.PI) / 180
  const away: Place = [-Math.sin(angle), -Math.cos(angle), 0]
  const eye: Place = [target[0] + away[0] * distance, target[1] + away[1] * distance, height]
  const right: Place = [Math.cos(angle), -Math.sin(angle), 0]
  const focal = scale * distance
  const horizon = middle[1] - (height - target[2]) * scale
  return {
    horizon,
    project: (place) => {
      const seen = minus(place, eye)
      const depth = Math.max(1, -dot(seen, away))
      return [middle[0] + (dot(seen, right) * focal) / depth, horizon - (seen[2] * focal) / depth]
    },
    facing: (place, normal) => dot(unit(minus(eye, place)), normal),
    distance: (place) => Math.hypot(...minus(place, eye)),
  }
}

/** Returns the unit normal of a face. It points away from `inside`. */
export function normalOf([a, b, c, d]: readonly [Place, Place, Place, Place], inside: Place): Place {
  const normal = unit(cross(minus(c, a), minus(d, b)))
  return dot(normal, minus(middleOf([a, b, c, d]), inside)) < 0 ? [-normal[0], -normal[1], -normal[2]] : normal
}

export function middleOf(places: readonly Place[]): Place {
  const sum = (axis: 0 | 1 | 2) => places.reduce((total, place) => total + place[axis], 0) / places.length
  return [sum(0), sum(1), sum(2)]
}

const sun = unit([-0.3, -0.52, 0.8])
const shades = 40

/** Returns the brightness of a face, from 0 to 1, in steps. The light is the same on the left and the right side. */
export const lightOn = ([x, y, z]: Place): number =>
  Math.round(between(0, 0.25 + 0.54 * Math.max(0, dot([x, -Math.abs(y), z], sun)) + 0.22 * z, 1) * shades) / shades

export const between = (least: number, value: number, most: number): number => Math.min(most, Math.max(least, value))
export const mix = (from: number, to: number, share: number): number => from + (to - from) * share

/** Returns a monotone curve through points in x order, which never overshoots (Fritsch and Carlson, 1980). */
export function curve(points: readonly Dot[]): (x: number) => number {
  const slopes = points.slice(1).map(([x, y], index) => {
    const [before, from] = points[index] ?? [x - 1, y]
    return (y - from) / (x - before || 1)
  })
  const tangents = points.map((_, index) => {
    const [before, after] = [slopes[index - 1], slopes[index]]
    if (before === undefined || after === undefined) return before ?? after ?? 0
    return before * after <= 0 ? 0 : (2 * before * after) / (before + after)
  })
  return (x) => {
    const next = points.findIndex(([at]) => at > x)
    const [first, last] = [points[0], points.at(-1)]
    if (next === 0) return first?.[1] ?? 0
    const [from, to] = [points[next - 1], points[next]]
    if (next < 0 || !from || !to) return last?.[1] ?? 0
    const width = to[0] - from[0]
    const t = (x - from[0]) / width
    const [start, end] = [(tangents[next - 1] ?? 0) * width, (tangents[next] ?? 0) * width]
    return (
      (1 + 2 * t) * (1 - t) ** 2 * from[1] +
      t * (1 - t) ** 2 * start +
      t * t * (3 - 2 * t) * to[1] -
      t * t * (1 - t) * end
    )
  }
}
