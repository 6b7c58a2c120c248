import type { BodyShape } from './body-shapes.ts'
import { between, type Camera, curve, type Dot, lightOn, middleOf, mix, normalOf, type Place } from './camera.ts'

/** A flat face of the body that the camera sees. `light` is its brightness, from 0 (shade) to 1. */
export interface Piece {
  dots: readonly Dot[]
  away: number
  light: number
}

/** Relative width of a vehicle at each height of its side, from the sill to the shoulder. */
const bulge = curve([
  [0, 0.93],
  [0.1, 0.97],
  [0.3, 0.995],
  [0.55, 1],
  [0.78, 0.985],
  [0.92, 0.965],
  [1, 0.925],
])
const bands = [0, 0.07, 0.16, 0.3, 0.46, 0.62, 0.74, 0.82, 0.88, 0.94, 1] as const
const across = [-1, -0.95, -0.8, -0.45, 0, 0.45, 0.8, 0.95, 1] as const
const cabinBands = [0, 0.3, 0.6, 0.82, 0.93, 1] as const
const cornerLength = 62

/** Returns functions that compute points in space on the vehicle's sides, ends, deck, cabin and roof. */
export function surfacesOf(shape: BodyShape) {
  const { length, width, clearance, lean } = shape
  const half = width / 2
  const shoulderAt = curve(shape.shoulder)
  const roofAt = curve(shape.roof)
  const [roofFrom, roofTo] = [shape.roof[0]?.[0] ?? 0, shape.roof.at(-1)?.[0] ?? length]
  const planAt = curve([
    [0, shape.ends[0]],
    [6, mix(shape.ends[0], 1, 0.42)],
    [18, mix(shape.ends[0], 1, 0.74)],
    [36, mix(shape.ends[0], 1, 0.92)],
    [cornerLength + 20, 1],
    [length - cornerLength, 1],
    [length - 32, mix(shape.ends[1], 1, 0.93)],
    [length - 14, mix(shape.ends[1], 1, 0.74)],
    [length - 5, mix(shape.ends[1], 1, 0.42)],
    [length, shape.ends[1]],
  ])
  const sillAt = curve([
    [0, clearance + 4],
    [30, clearance],
    [length - 40, clearance + 1],
    [length, clearance + 10],
  ])
  const noseAt = curve([
    [clearance, 9],
    [clearance + 16, 1],
    [clearance + 34, 0],
    [clearance + 52, 5],
    [clearance + 80, 14],
  ])
  const tailAt = curve([
    [clearance, 12],
    [clearance + 16, 2],
    [clearance + 32, 0],
    [clearance + 46, 3],
    [clearance + 56, 7],
    [clearance + 95, 12],
  ])
  /** Moves points at the front and rear ends inward. Points farther from the ends move less. */
  const leaning = ([x, y, z]: Place): Place => [
    x + noseAt(z) * Math.exp(-x / 26) - tailAt(z) * Math.exp(-(length - x) / 26),
    y,
    z,
  ]
  const widthAt = (x: number, share: number) => half * planAt(x) * bulge(share)
  /** Returns a point on a side. `flip` is -1 for the left side and 1 for the right. */
  const side = (x: number, z: number, flip = -1): Place => {
    const [from, to] = [sillAt(x), shoulderAt(x)]
    return leaning([x, flip * widthAt(x, between(0, (z - from) / (to - from), 1)), z])
  }
  const band = (x: number, share: number, flip = -1): Place => side(x, mix(sillAt(x), shoulderAt(x), share), flip)
  const crownAt = (x: number) =>
    shape.bed && x > shape.bed[0] - 4 ? 0 : 5 * between(0, Math.min(x, length - x) / 24, 1)
  /** Returns a point on the hood, trunk or bed. `v` runs from -1 at the left edge to 1 at the right. */
  const deck = (x: number, v: number): Place =>
    leaning([x, v * widthAt(x, 1), shoulderAt(x) + crownAt(x) * (1 - v ** 2)])
  const beltWidth = (x: number) => widthAt(between(roofFrom, x, roofTo), 1) - 2
  const crown = 4
  const roofWidth = (x: number) => {
    const up = between(0, (roofAt(x) - shoulderAt(x)) / 44, 1)
    return beltWidth(x) * mix(0.97, lean, up)
  }
  /** Returns a point on a side of the cabin. `u` runs from 0 at the belt line to 1 at the edge of the roof. */
  const cabin = (x: number, u: number, flip = -1): Place => {
    const [from, to] = [shoulderAt(x), Math.max(shoulderAt(x), roofAt(x))]
    const bent = u + 0.1 * u * (1 - u)
    return leaning([x, flip * mix(beltWidth(x), roofWidth(x), u > 0.82 ? u : bent * 0.97), mix(from, to, u)])
  }
  /** Returns a point on a windshield or the roof. `v` runs from -1 at the left edge to 1 at the right. */
  const top = (x: number, v: number): Place =>
    leaning([
      x,
      v * roofWidth(x),
      Math.max(shoulderAt(x), roofAt(x)) + crown * (1 - v ** 2) * between(0, (roofAt(x) - shoulderAt(x)) / 20, 1),
    ])
  return { side, band, deck, cabin, top, shoulderAt, sillAt, roofAt, roofFrom, roofTo }
}

type Surfaces = ReturnType<typeof surfacesOf>

/** `front` and `rear` are three-quarter views, from the left front and the right rear. `side` shows the left side. */
export type View = 'front' | 'side' | 'rear'

export interface Sketch {
  shape: BodyShape
  surfaces: Surfaces
  camera: Camera
  view: View
  /** The side that faces the camera: -1 left, 1 right. */
  near: number
}

/** Returns the x positions at which to split a surface: its bends, and points in between, at most 60 cm apart. */
function stations(from: number, to: number, bends: readonly Dot[], ends: readonly number[]): number[] {
  const all = [from, to, ...bends.map(([x]) => x), ...ends].filter((x) => x >= from && x <= to)
  const sorted = [...new Set(all)].toSorted((a, b) => a - b)
  return sorted.flatMap((x, index) => {
    const next = sorted[index + 1]
    if (next === undefined) return x
    const parts = Math.ceil((next - x) / 60)
    return Array.from({ length: parts }, (_, part) => mix(x, next, part / parts))
  })
}

type Grid = (x: number, y: number) => Place

/** Splits a surface into flat faces that the camera sees. Merges neighboring faces of the same brightness. */
function sheet(
  grid: Grid,
  xs: readonly number[],
  ys: readonly number[],
  inside: (middle: Place) => Place,
  camera: Camera,
) {
  const rows = ys.map((y) => xs.map((x) => grid(x, y)))
  const dots = rows.map((row) => row.map(camera.project))
  const pieces: Piece[] = []
  for (let j = 0; j + 1 < ys.length; j++) {
    const [upper, lower] = [rows[j] ?? [], rows[j + 1] ?? []]
    let run: { from: number; light: number; away: number } | undefined
    const end = (to: number) => {
      if (run === undefined) return
      const [{ from, light, away }, below] = [run, (dots[j + 1] ?? []).slice(run.from, to + 1)]
      pieces.push({ dots: [...(dots[j] ?? []).slice(from, to + 1), ...below.toReversed()], light, away })
      run = undefined
    }
    for (let i = 0; i + 1 < xs.length; i++) {
      const corners = [upper[i], upper[i + 1], lower[i + 1], lower[i]]
      if (!isFace(corners)) continue
      const middle = middleOf(corners)
      const normal = normalOf(corners, inside(middle))
      const light = camera.facing(middle, normal) > 0 ? lightOn(normal) : undefined
      if (run !== undefined && run.light !== light) end(i)
      if (light !== undefined) run ??= { from: i, light, away: camera.distance(middle) }
    }
    end(xs.length - 1)
  }
  return pieces
}

const isFace = (corners: readonly (Place | undefined)[]): corners is [Place, Place, Place, Place] =>
  corners.every((corner) => corner !== undefined)

/** Returns the visible faces below the windows, farthest first. */
export function lowerPieces({ shape, surfaces, camera, near }: Sketch): Piece[] {
  const { length } = shape
  const ends = [3, 8, 14, 22, 34, 50].flatMap((x) => [x, length - x])
  const xs = stations(0, length, shape.shoulder, ends)
  const axis = ([x, , z]: Place): Place => [between(60, x, length - 60), 0, Math.min(z, 60)]
  const below = ([x, y, z]: Place): Place => [x, y * 0.5, z - 60]
  const along = ([x, , z]: Place): Place => [x < 10 ? 60 : length - 60, 0, z]
  const deck = sheet(surfaces.deck, xs, across, below, camera)
  const side = (flip: number, within: readonly number[]) =>
    sheet((x, share) => surfaces.band(x, share, flip), within, bands, axis, camera)
  // The camera sees only the corners of the side that faces away from it.
  const corners = [xs.filter((x) => x < cornerLength), xs.filter((x) => x > length - cornerLength)]
  const sides = [...side(near, xs), ...corners.flatMap((within) => side(-near, within))]
  const caps = [0, length].flatMap((x) =>
    sheet((v, share) => scaled(surfaces.band(x, share, 1), v), [-1, -0.5, 0, 0.5, 1], bands, along, camera),
  )
  return farFirst([...deck, ...caps, ...sides])
}

const scaled = ([x, y, z]: Place, v: number): Place => [x, y * v, z]

/** Returns the visible faces of the cabin, farthest first. They have no cutouts for windows. */
export function cabinPieces({ shape, surfaces, camera, near }: Sketch): Piece[] {
  const xs = stations(surfaces.roofFrom, surfaces.roofTo, shape.roof, shape.screens)
  const axis = ([x, , z]: Place): Place => [x, 0, z - 12]
  const below = ([x, y, z]: Place): Place => [mix(x, (surfaces.roofFrom + surfaces.roofTo) / 2, 0.5), y * 0.6, z - 90]
  const sides = sheet((x, u) => surfaces.cabin(x, u, near), xs, cabinBands, axis, camera)
  return farFirst([...sheet(surfaces.top, xs, across, below, camera), ...sides])
}

const farFirst = (pieces: readonly Piece[]): Piece[] => pieces.toSorted((a, b) => b.away - a.away)
